"""Everything that touches the world: databases, vector stores, models. Only wiring imports these modules."""
