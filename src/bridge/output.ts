import type {Writable} from 'node:stream';
import type {Output} from '../mcp/exchange.ts';

const LINE_FEED = Buffer.from('\n');

/** Below this a copy with the line's end costs less than a second write, in bytes. */
const SMALL = 16 * 1024;

/** Whole messages, each as one line, one after the other, on a stream that takes its time. */
export const createOutput = (stream: Writable): Output => {
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

/** The bytes themselves where they are on one line; else with spaces for line ends, which JSON has between values only. */
const oneLine = (message: Buffer): Buffer => {
  if (!message.includes(0x0a) && !message.includes(0x0d)) return message;
  return Buffer.from(message.map(byte => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)));
};
