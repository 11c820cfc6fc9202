// Placeholder until the part arrives.
