import {fstatSync, writeSync} from 'node:fs';
import {isatty} from 'node:tty';

/** A stream of this process, as far as it is written to. */
type Stream = {
  readonly write: (text: string) => unknown;
  readonly on: (event: 'error', listener: (error: Error) => void) => unknown;
};

/**
 * Wraps a standard stream so that every write is whole or reported as failed. Node treats a short write to a file on a
 * full disk as a whole one, and throws a device's error at the caller. After a failure nothing more is written, because
 * half of a text is worse than none.
 *
 * @param fd of the stream
 * @param failed is called with the first failure only
 */
export const wholeStream = (stream: Stream, fd: number, failed: (error: Error) => void): Pick<Stream, 'write'> => {
  let works = true;
  const fail = (error: Error) => {
    if (!works) return;
    works = false;
    failed(error);
  };
  stream.on('error', fail);
  const write = isWrittenAtOnce(fd) ? (text: string) => writeAll(fd, Buffer.from(text)) : stream.write.bind(stream);
  return {
    write: text => {
      if (!works) return;
      try {
        write(text);
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
};

/** Whether the stream is a file, or a device such as /dev/full. Pipes are left to Node, which waits for the reader. */
const isWrittenAtOnce = (fd: number): boolean => {
  if (process.platform === 'win32') return false;
  try {
    const stats = fstatSync(fd);
    return stats.isFile() || (stats.isCharacterDevice() && !isatty(fd));
  } catch {
    return false;
  }
};

const writeAll = (fd: number, bytes: Buffer): void => {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
};
