#!/usr/bin/env python3
"""A proxy that speaks TLS to clients and passes all bytes on to a port of this machine.

usage: tls_proxy.py FOLDER PORT

It makes a certificate for 127.0.0.1 in FOLDER/certificate.pem, which clients must trust (SSL_CERT_FILE), and prints its
own port when it is ready.
"""

import asyncio
import ssl
import subprocess
import sys
from contextlib import suppress
from pathlib import Path


async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Passes bytes on until either side ends."""
    with suppress(OSError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    target.close()


async def main(folder: Path, port: int) -> None:
    file = folder / "certificate.pem"  # its own authority
    key = file.with_suffix(".key")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", key, "-out", file, "-days", "30", "-subj", "/CN=127.0.0.1",
                    "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    print(f"ready at {server.sockets[0].getsockname()[1]}.", flush=True)
    await server.serve_forever()


asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
