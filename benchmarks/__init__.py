"""One script a figure in the README. Each says on what machine it ran."""
