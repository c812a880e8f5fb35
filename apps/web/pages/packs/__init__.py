"""Threshold packs: their list, their preview, import and export."""
