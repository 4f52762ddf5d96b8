"""A curl for machines that have none: as much of it as our pages show (`server_process.curls`).

It takes curl's own options and refuses those that it does not know. A shell starts it hundreds of
times, and `http.client` alone would double its start, so it imports little.
"""

from __future__ import annotations

import getopt
import io
import socket
import sys
from collections.abc import Iterator

COULD_NOT_CONNECT = 7  # as curl ends then


def request(url: str, options: list[tuple[str, str]]) -> bytes:
    """What is sent: POST if there is a body, and as a form unless a header says otherwise."""
    host, _, path = url.removeprefix("http://").partition("/")
    body = "".join(value for option, value in options if option == "-d").encode()
    method = "".join(value for option, value in options if option == "-X")
    given = [value for option, value in options if option == "-H"]
    headers = [f"Host: {host}", "Connection: close", *given]
    if body:
        headers.append(f"Content-Length: {len(body)}")
        if not any(header.lower().startswith("content-type:") for header in given):
            headers.append("Content-Type: application/x-www-form-urlencoded")
    first = f"{method or ('POST' if body else 'GET')} /{path} HTTP/1.1"
    return "\r\n".join([first, *headers, "", ""]).encode() + body


def parts(answer: io.BufferedReader) -> Iterator[bytes]:
    """The body of an answer as it comes: in chunks that say how long they are, or until the end."""
    chunked = False
    while header := answer.readline().strip().lower():
        chunked = chunked or header == b"transfer-encoding: chunked"
    while chunked and (size := int(answer.readline(), 16)):
        yield answer.read(size)
        answer.readline()
    while not chunked and (part := answer.read(65536)):
        yield part


def main(words: list[str]) -> int:
    """Send one request and write the body of the answer, whatever its status, as it comes."""
    options, (url,) = getopt.gnu_getopt(words, "sNX:H:d:o:")
    host, _, port = url.removeprefix("http://").partition("/")[0].partition(":")
    to = dict(options).get("-o")
    try:
        line = socket.create_connection((host, int(port or 80)))
    except OSError as error:
        print(f"curl: ({COULD_NOT_CONNECT}) {error}", file=sys.stderr)
        return COULD_NOT_CONNECT
    line.sendall(request(url, options))
    with line, line.makefile("rb") as answer, open(to or 1, "wb", 0) as out:  # noqa: PTH123
        for part in parts(answer):
            out.write(part)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
