import {type AddressInfo, createServer, type Server, type Socket} from 'node:net';
import {onTestFinished} from 'vitest';

export type Listening = {
  readonly port: number;
  /** How many connections there have been. */
  readonly count: () => number;
  /** Comes when there has been a connection, and each is closed. */
  readonly allClosed: () => Promise<void>;
};

/** A server on a free port of loopback, closed with all its connections when the test is over. */
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

/** A server that does with each connection what the test says. */
export const serveRaw = (act: (socket: Socket) => void): Promise<Listening> => listening(createServer(act));
