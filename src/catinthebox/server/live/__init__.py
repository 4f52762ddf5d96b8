"""Live tables in memory: the hub, connections and their outboxes, the scheduler."""
