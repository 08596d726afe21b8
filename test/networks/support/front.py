"""Speaks TLS on port 443 and demands a certificate in the handshake. Node's own server cannot do this: it ends the
connection without the alert that other servers send. Arguments: certificate, key, authority of clients, port behind."""

import socket
import ssl
import sys
from select import select
from threading import Thread

certificate, key, authority, port = sys.argv[1:]

context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=authority)
context.load_cert_chain(certificate, key)
context.verify_mode = ssl.CERT_REQUIRED


def pass_on(secure, behind):
    while True:
        sources = [secure] if secure.pending() else select([secure, behind], [], [])[0]
        for source in sources:
            data = source.recv(65536)
            if not data:
                return
            (behind if source is secure else secure).sendall(data)


def serve(connection):
    own = connection.dup()
    try:
        secure = context.wrap_socket(connection, server_side=True)
    except OSError:
        # The alert has been sent. Further data is read, because otherwise the connection would be reset.
        own.shutdown(socket.SHUT_WR)
        while own.recv(65536):
            pass
        own.close()
        return
    own.close()
    with secure, socket.create_connection(("127.0.0.1", int(port))) as behind:
        try:
            pass_on(secure, behind)
        except OSError:
            # One side has closed its connection.
            pass


listener = socket.create_server(("0.0.0.0", 443))
print("ready", flush=True)
while True:
    accepted, _ = listener.accept()
    Thread(target=serve, args=(accepted,), daemon=True).start()
