"""Finding passages of the bank: by meaning, by words, and both fused."""
