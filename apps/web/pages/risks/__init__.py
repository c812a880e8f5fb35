"""The risk board: every limited figure, least slack first."""
