import {createHash} from 'node:crypto';
import {chmod, mkdir, readdir, rm} from 'node:fs/promises';
import {connect, createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {onAbort} from '../../on-abort.ts';
import {isAlive} from './processes.ts';

/** The most characters that are read of a line that does not end. */
const LONGEST = 16 * 1024;

/** The names of sockets end with this on systems where they are files. */
const SUFFIX = '.sock';

/**
 * Answers other programs of the same user on this machine, at a socket that belongs to this process, until the signal
 * aborts. Each connection carries one request and its answer, as one line of JSON each. On Windows the socket is a named
 * pipe, and `directory` only names it.
 *
 * @param answer is given a signal that aborts when the other program has gone
 * @returns false if the signal has aborted, or the system allows no socket there, for example because the path is too
 *   long
 */
export const serveLocally = async (
  directory: string,
  answer: (request: unknown, gone: AbortSignal) => Promise<object>,
  signal: AbortSignal,
): Promise<boolean> => {
  const address = addressOf(directory, process.pid);
  const server = createServer(socket => {
    const gone = new AbortController();
    socket.on('error', () => {}).on('close', () => gone.abort());
    lineFrom(socket)
      .then(line => answer(JSON.parse(line), AbortSignal.any([gone.signal, signal])))
      .then(
        reply => socket.end(`${JSON.stringify(reply)}\n`),
        () => socket.destroy(),
      );
  });
  if (!isWindows) {
    await mkdir(directory, {recursive: true, mode: 0o700});
    await removeStale(directory);
    await rm(address, {force: true});
  }
  if (signal.aborted) return false;
  const isListening = await new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false)).listen(address, () => resolve(true));
  });
  if (!isListening) return false;
  server.on('error', () => {}).unref();
  // Closing removes the file.
  onAbort(signal, () => server.close());
  if (!isWindows) await chmod(address, 0o600).catch(() => {});
  return true;
};

/** Returns the processes that serve there. Some of them may have ended. */
export const localServersIn = async (directory: string): Promise<readonly number[]> => {
  const [place, before, after] = isWindows ? [PIPES, pipePrefix(directory), ''] : [directory, '', SUFFIX];
  const names = await readdir(place).catch(() => []);
  return names.flatMap(name => {
    if (!name.startsWith(before) || !name.endsWith(after)) return [];
    const pid = Number(name.slice(before.length, name.length - after.length));
    return Number.isSafeInteger(pid) && pid > 0 ? [pid] : [];
  });
};

/**
 * Sends a request to a process that serves there, and returns its answer. Undefined if it has ended, does not answer, or
 * the signal aborts.
 */
export const askLocally = async (
  directory: string,
  pid: number,
  request: object,
  signal: AbortSignal,
): Promise<unknown> => {
  const socket = connect(addressOf(directory, pid));
  onAbort(signal, () => socket.destroy());
  socket.on('error', () => {}).write(`${JSON.stringify(request)}\n`);
  try {
    return JSON.parse(await lineFrom(socket));
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
};

/** Reads the first line that the other side sends. @throws Error if it ends before, or the line is too long */
const lineFrom = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\n');
      if (end !== -1) resolve(text.slice(0, end));
      else if (text.length > LONGEST) reject(new Error('The line is too long.'));
    });
    socket.on('close', () => reject(new Error('The other side has gone.')));
  });

/** Removes the sockets of processes that were killed. */
const removeStale = async (directory: string): Promise<void> => {
  for (const pid of await localServersIn(directory)) {
    if (!isAlive(pid)) await rm(addressOf(directory, pid), {force: true});
  }
};

const isWindows = process.platform === 'win32';

/** The directory in which Windows lists its named pipes. */
const PIPES = '\\\\.\\pipe\\';

/** Returns the beginning of the names of a directory's pipes: all users share one space of names. */
const pipePrefix = (directory: string): string =>
  `platform-setup-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}-`;

const addressOf = (directory: string, pid: number): string =>
  isWindows ? `${PIPES}${pipePrefix(directory)}${pid}` : join(directory, `${pid}${SUFFIX}`);
