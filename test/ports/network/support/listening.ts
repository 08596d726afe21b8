import {type AddressInfo, createServer, type Server, type Socket} from 'node:net';
import {onTestFinished} from 'vitest';

export type Listening = {
  readonly port: number;
  /** The number of connections so far. */
  readonly count: () => number;
  /** Resolves when there has been a connection and all of them are closed. */
  readonly allClosed: () => Promise<void>;
};

/** Starts a server on a free port of loopback. Closed with all its connections when the test ends. */
export const listening = async (server: Server): Promise<Listening> => {
  const open = new Set<Socket>();
  let count = 0;
  let look = () => {};
  server.on('connection', socket => {
    count += 1;
    open.add(socket);
    socket
      .on('error', () => {})
      .once('close', () => {
        open.delete(socket);
        look();
      });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    allClosed: () =>
      new Promise(resolve => {
        look = () => {
          if (count > 0 && open.size === 0) resolve();
        };
        look();
      }),
  };
};

/** Starts a server that handles each connection as the test says. */
export const serveRaw = (act: (socket: Socket) => void): Promise<Listening> => listening(createServer(act));
