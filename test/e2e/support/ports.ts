import {once} from 'node:events';
import {connect, createServer, type Socket} from 'node:net';
import {onTestFinished, vi} from 'vitest';
import {isRefused, reservedPort} from '../../support/reserved-port.ts';

export {isRefused, reservedPort};

/** Holds a port until the test ends, and returns it. */
export const heldPort = async (): Promise<number> => {
  // A client may end its connection in either way.
  const server = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return portOf(server.address());
};

/** Holds a port that the caller chose, until it is released or the test ends. */
export const holdPort = async (port: number): Promise<() => Promise<void>> => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const release = () => new Promise<void>(resolve => server.close(() => resolve()));
  onTestFinished(release);
  return release;
};

const portOf = (address: ReturnType<ReturnType<typeof createServer>['address']>): number => {
  if (address === null || typeof address === 'string') throw new Error('A server on TCP has a port.');
  return address.port;
};

/** Resolves once nothing listens on a port of this machine any more. */
export const untilRefused = (port: number): Promise<void> =>
  vi.waitFor(async () => {
    if (!(await isRefused(port))) throw new Error(`Something still listens on port ${port}.`);
  }, 10_000);

/** Opens an idle connection, as a client keeps one for its next call. */
export const openConnection = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  // The server may end it in either way.
  socket.on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  return socket.resume();
};

/** Returns the ports of the sandbox whose addresses a text shows. */
export const sandboxPorts = (text: string): readonly number[] => {
  const ports = [...text.matchAll(/\.localhost:(\d+)/g)].map(([, port]) => Number(port));
  if (ports.length === 0) throw new Error(`No address of the sandbox is in:\n${text}`);
  return [...new Set(ports)];
};

/** Returns a redirect URI on a port that no other program takes. */
export const callbackForTest = async (): Promise<string> => `http://127.0.0.1:${await reservedPort()}/auth-callback`;
