"""How frames reach a client: WebSocket, NDJSON, and limits that uvicorn lacks."""
