"""Live games for people and programs: HTTP, WebSocket, NDJSON; the only folder that awaits."""
