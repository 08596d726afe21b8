import {once} from 'node:events';
import {createServer} from 'node:net';

/** Returns a port of this machine's loopback interface that is free at the moment, chosen by the system. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A server on TCP has a port.');
  return address.port;
};
