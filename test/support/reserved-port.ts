import {randomInt} from 'node:crypto';
import {createSocket} from 'node:dgram';
import {connect} from 'node:net';

/**
 * Returns a port on which nothing listens, for a program under test to find closed or to listen on later. It is below
 * the ports that a system hands out by itself (from 32768 on Linux, from 49152 elsewhere), so that no connection
 * takes it. No other test takes it either, because each test marks its ports.
 */
export const reservedPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if ((await isMarked(port)) && (await isRefused(port))) return port;
  }
};

/** Marks a TCP port by taking the UDP port of the same number, for as long as this process lasts. */
const isMarked = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const mark = createSocket('udp4').unref();
    mark.once('error', () => {
      mark.close();
      resolve(false);
    });
    mark.bind({port, address: '127.0.0.1', exclusive: true}, () => resolve(true));
  });

/** Whether a connection to a port of this machine is refused. */
export const isRefused = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
