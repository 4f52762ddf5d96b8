"""Live games over HTTP, WebSocket and NDJSON; the only package with async code."""
