"""Pages, a folder for each subject."""
