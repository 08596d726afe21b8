import type {Writable} from 'node:stream';
import type {MessageOutput} from '../mcp/exchange.ts';

const LINE_FEED = Buffer.from('\n');

/** For a message below this size, in bytes, copying it with its line feed costs less than a second write. */
const SMALL = 16 * 1024;

/** Writes whole messages, one per line, to a stream that may be slow. */
export const createOutput = (stream: Writable): MessageOutput => {
  let drained: Promise<void> | undefined;
  return {
    write: message => {
      const line = oneLine(message);
      if (line.length < SMALL) stream.write(Buffer.concat([line, LINE_FEED]));
      else {
        stream.cork();
        stream.write(line);
        stream.write(LINE_FEED);
        stream.uncork();
      }
      if (!stream.writableNeedDrain) return undefined;
      drained ??= new Promise(resolve => {
        const done = () => {
          drained = undefined;
          stream.off('drain', done).off('close', done);
          resolve();
        };
        stream.on('drain', done).on('close', done);
      });
      return drained;
    },
  };
};

/**
 * Puts a JSON text on one line, without surrounding whitespace. Line ends within it become spaces, because JSON has
 * them between values only. Some clients accept only one line feed after the text (go-sdk 1.8), and Go's servers end
 * their texts with a line feed of their own.
 */
const oneLine = (whole: Buffer): Buffer => {
  let [start, end] = [0, whole.length];
  while (end > 0 && isSpace(whole[end - 1])) end -= 1;
  while (start < end && isSpace(whole[start])) start += 1;
  const message = whole.subarray(start, end);
  if (!message.includes(0x0a) && !message.includes(0x0d)) return message;
  return Buffer.from(message.map(byte => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)));
};

/** Whether a byte is whitespace in JSON (RFC 8259 2). */
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
