#!/usr/bin/env python3
"""A proxy that speaks TLS to clients and passes all bytes on to a port of this machine.

usage: tls_proxy.py FOLDER PORT

It makes a certificate for 127.0.0.1 in FOLDER/certificate.pem, which clients must trust (SSL_CERT_FILE), and prints its
own port when it is ready.
"""

import socket
import ssl
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path


def certificate(folder: Path) -> Path:
    """A new certificate that is its own authority, with its key in the same file."""
    file = folder / "certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", str(file.with_suffix(".key")), "-out", str(file), "-days", "30", "-subj", "/CN=127.0.0.1",
                    "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    return file


def pump(source: socket.socket, target: socket.socket) -> None:
    """Passes bytes on until either side ends."""
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    for side in (source, target):
        with suppress(OSError):
            side.shutdown(socket.SHUT_RDWR)


def serve(client: socket.socket, context: ssl.SSLContext, port: int) -> None:
    with suppress(OSError), context.wrap_socket(client, server_side=True) as near:
        with socket.create_connection(("127.0.0.1", port)) as far:
            thread = threading.Thread(target=pump, args=(far, near), daemon=True)
            thread.start()
            pump(near, far)
            thread.join()


def main() -> None:
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    file = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, file.with_suffix(".key"))
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        print(f"ready at {listener.getsockname()[1]}.", flush=True)
        while True:
            client, _ = listener.accept()
            threading.Thread(target=serve, args=(client, context, port), daemon=True).start()


if __name__ == "__main__":
    main()
