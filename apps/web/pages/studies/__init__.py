"""Studies of a change: their list, the form of a new one, each on a page and on paper."""
