import {connect, type Socket} from 'node:net';
import {type Listening, serveRaw} from './listening.ts';

type Given = {
  /** The port of loopback to which every tunnel leads. By default the requested port. */
  readonly target?: number;
  /** The only accepted user. By default everybody is accepted. */
  readonly user?: {readonly name: string; readonly password: string};
  /** The answer instead of a tunnel (RFC 1928 6; for version 4, 91 and up). */
  readonly reply?: number;
};

export type SocksProxy = Listening & {
  /** The requested addresses, as `host:port`. */
  readonly asked: string[];
};

/** Starts a SOCKS proxy of the tests (RFC 1928, RFC 1929, SOCKS 4 and 4a). Every tunnel leads to loopback. */
export const serveSocks = async (given: Given): Promise<SocksProxy> => {
  const asked: string[] = [];
  const proxy = await serveRaw(socket => {
    void talk(socket, given, asked).catch(() => socket.destroy());
  });
  return {...proxy, asked};
};

const talk = async (socket: Socket, {target, user, reply}: Given, asked: string[]) => {
  const {take, rest} = reader(socket);
  const [version, second = 0] = await take(2);
  let port: number;
  if (version === 4) {
    port = (await take(2)).readUInt16BE();
    const address = await take(4);
    await untilZero(take);
    const host = address.readUInt32BE() < 256 ? await untilZero(take) : address.join('.');
    asked.push(`${host}:${port}`);
    socket.write(Buffer.from([0, reply ?? 90, 0, 0, 0, 0, 0, 0]));
  } else {
    const methods = await take(second);
    const wanted = user ? 2 : 0;
    if (!methods.includes(wanted)) return void socket.end(Buffer.from([5, 0xff]));
    socket.write(Buffer.from([5, wanted]));
    if (user) {
      const name = String(await take((await take(2))[1] ?? 0));
      const password = String(await take((await take(1))[0] ?? 0));
      const isRight = name === user.name && password === user.password;
      socket.write(Buffer.from([1, isRight ? 0 : 1]));
      if (!isRight) return void socket.end();
    }
    const kind = (await take(4))[3];
    const host =
      kind === 3
        ? String(await take((await take(1))[0] ?? 0))
        : kind === 1
          ? (await take(4)).join('.')
          : `[${(await take(16)).toString('hex')}]`;
    port = (await take(2)).readUInt16BE();
    asked.push(`${host}:${port}`);
    socket.write(Buffer.from([5, reply ?? 0, 0, 1, 0, 0, 0, 0, 0, 0]));
  }
  if (reply !== undefined && reply !== 0) return void socket.end();
  const upstream = connect(target ?? port, '127.0.0.1', () => {
    upstream.write(rest());
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.on('error', () => socket.destroy());
  // A reset connection has no end that a pipe would forward.
  socket.on('close', () => upstream.destroy());
};

const untilZero = async (take: (count: number) => Promise<Buffer>) => {
  const bytes: number[] = [];
  for (let byte = (await take(1))[0]; byte; byte = (await take(1))[0]) bytes.push(byte);
  return String(Buffer.from(bytes));
};

/** Returns a function that reads a number of bytes from a connection. */
const reader = (socket: Socket) => {
  let bytes: Buffer = Buffer.alloc(0);
  let wake = () => {};
  const push = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    wake();
  };
  socket.on('data', push);
  return {
    take: async (count: number) => {
      while (bytes.length < count) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
      const taken = bytes.subarray(0, count);
      bytes = bytes.subarray(count);
      return taken;
    },
    rest: () => {
      socket.off('data', push);
      return bytes;
    },
  };
};
