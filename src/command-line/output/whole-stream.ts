import {fstatSync, writeSync} from 'node:fs';
import {isatty} from 'node:tty';

/** A stream of this process, as far as it is written to. */
type Stream = {
  readonly write: (text: string) => unknown;
  readonly on: (event: 'error', listener: (error: Error) => void) => unknown;
};

/**
 * A standard stream of which every write is whole, or is told to have failed: Node takes a short write to a file on a full
 * disk for a whole one, and throws what a device answers at whoever writes. After a failure nothing more is written, as
 * half of a text is worth less than none.
 *
 * @param fd of the stream
 * @param failed is told the first failure, once
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

/** Files, and devices such as /dev/full; a pipe is left to Node, which waits for its reader. */
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
