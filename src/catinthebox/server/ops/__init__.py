"""Running a server: configuration, limits, logs, metrics, health, worker processes."""
