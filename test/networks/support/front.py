"""Speaks TLS on port 443 and demands a certificate in the handshake, as Node's own server cannot: it ends the
connection without the alert that other servers send. Arguments: certificate, key, authority of clients, port behind."""

import asyncio
import ssl
import sys

certificate, key, authority, port = sys.argv[1:]


async def pass_on(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.close()
    except (ConnectionError, ssl.SSLError):
        writer.close()


async def serve(reader, writer):
    behind_reader, behind_writer = await asyncio.open_connection("127.0.0.1", int(port))
    await asyncio.gather(pass_on(reader, behind_writer), pass_on(behind_reader, writer))


async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=authority)
    context.load_cert_chain(certificate, key)
    context.verify_mode = ssl.CERT_REQUIRED
    server = await asyncio.start_server(serve, None, 443, ssl=context)
    print("ready", flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main())
