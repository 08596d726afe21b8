import {createServer, type IncomingHttpHeaders, request as sendRequest} from 'node:http';
import type {AddressInfo} from 'node:net';

/** The suite’s connection to a server that demands a token. */
export type Forwarder = {readonly url: string; readonly close: () => Promise<void>};

/**
 * Forwards the suite's requests to a server of this machine with a token, and returns the answers unchanged, because
 * the suite has no sign-in and resolves no names below localhost. The forwarder's own host in a request becomes the
 * server's. Any other host is part of the test, and stays.
 */
export const forwardTo = async (server: URL, token: string): Promise<Forwarder> => {
  const {hostname, port, pathname, host} = server;
  if (!hostname.endsWith('localhost')) throw new Error(`${hostname} is not on this machine.`);
  const renamed = ({host: asked, origin, ...rest}: IncomingHttpHeaders) => {
    const own = [`127.0.0.1:${ownPort()}`, `localhost:${ownPort()}`];
    const isOwn = (name: string | undefined) => name !== undefined && own.includes(name.replace(/^http:\/\//, ''));
    return {
      ...rest,
      host: isOwn(asked) ? host : asked,
      ...(origin === undefined ? {} : {origin: isOwn(origin) ? `http://${host}` : origin}),
      authorization: `Bearer ${token}`,
    };
  };
  const forwarder = createServer((request, response) => {
    const {method, headers} = request;
    const onward = sendRequest({host: '127.0.0.1', port, path: pathname, method, headers: renamed(headers)}, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  const ownPort = () => (forwarder.address() as AddressInfo).port;
  await new Promise<void>(resolve => forwarder.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${ownPort()}${pathname}`,
    close: () =>
      new Promise<void>(resolve => {
        forwarder.close(() => resolve());
        forwarder.closeAllConnections();
      }),
  };
};
