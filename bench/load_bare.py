"""What the server is measured against: the simplest Starlette program that does the same sending.

    python -m bench.load_bare 8000 --bytes 910

Rooms of sockets; whatever one of them says, every socket of its room is sent one frame, and it is
answered. Nothing is decoded, decided or kept, so this is what the sockets themselves cost. It ends
when its standard input does, so that it cannot be left running.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections import defaultdict
from threading import Thread
from typing import cast

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket
from uvicorn.config import LoopFactoryType, WSProtocolType

FRAME_LIMIT = 8192  # the largest frame our server takes
DONE = '{"type":"Done","id":"17","version":42}'  # as our server answers


def program(size: int) -> Starlette:
    """Return the program; its frames are `size` bytes long."""
    frame = "x" * size
    rooms: defaultdict[str, list[WebSocket]] = defaultdict(list)

    async def stream(socket: WebSocket) -> None:
        room = rooms[socket.path_params["room"]]
        await socket.accept()
        room.append(socket)
        try:
            async for _ in socket.iter_text():
                for seat in room:
                    await seat.send_text(frame)
                await socket.send_text(DONE)
        finally:
            room.remove(socket)

    return Starlette(routes=[WebSocketRoute("/rooms/{room}", stream)])


def end_with_input() -> None:
    """Stop this process when the one that started it has ended."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--bytes", type=int, default=910, help="in each frame")
    parser.add_argument("--ws", default="auto", help="uvicorn's WebSocket implementation")
    parser.add_argument("--loop", default="auto", help="uvicorn's event loop")
    options = parser.parse_args()
    Thread(target=end_with_input, daemon=True).start()
    uvicorn.run(
        program(options.bytes),
        host="127.0.0.1",
        port=options.port,
        loop=cast(LoopFactoryType, options.loop),
        ws=cast(WSProtocolType, options.ws),
        ws_max_size=FRAME_LIMIT,
        ws_per_message_deflate=False,
        log_level="error",
        access_log=False,
    )


if __name__ == "__main__":
    main()
