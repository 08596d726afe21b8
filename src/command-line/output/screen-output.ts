import {toAscii} from './ascii-output.ts';
import {createFrameTracker} from './frame-tracker.ts';

/** The size that screens are laid out for, in columns and rows. */
export type ScreenSize = {readonly columns: number; readonly rows: number};

/** A terminal as Ink draws on it. */
export type ScreenOutput = {
  readonly stream: NodeJS.WriteStream;
  /** The last column is left free: where a sign turns out wider than it is taken for, the line still ends in its row. */
  readonly size: () => ScreenSize;
  /** Calls `listener` after each resize, when the frame of before is gone. Returns how to stop that. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The next frame is the last, and may be taller than the terminal: what scrolls away is not drawn over any more. */
  readonly expectLast: () => void;
  /** Lets go of the terminal. */
  readonly close: () => void;
};

type Options = {
  /** Whether only ASCII may be written. */
  readonly ascii: boolean;
  /** Whether the terminal wraps the lines that are on it anew when it gets narrower, rather than cutting them off. */
  readonly reflows: boolean;
  /** Whether signs beyond ASCII may take two columns, as in East Asian terminals. */
  readonly isWide: boolean;
};

/** Synchronised output (mode 2026) and automatic wrapping (DECAWM, mode 7). */
const FRAME_START = '\u001B[?2026h';
const FRAME_END = '\u001B[?2026l';
const WRAP_OFF = '\u001B[?7l';
const WRAP_ON = '\u001B[?7h';

/** Cursor next line (CNL), which mosh and other small terminals do not know, alone or several times. */
const nextLines = /(?:\u001B\[E)+/g;
const NEXT_LINE = '\u001B[E';

/**
 * An output for frames that Ink draws incrementally. Writes what every terminal knows, keeps lines from wrapping while a
 * frame is drawn, and takes the frame away after a resize: Ink counts the rows of what it wrote, but a terminal that
 * became narrower shows them on more.
 *
 * @param forget makes Ink forget the frame that it drew last, so that it draws the next one whole
 */
export const createScreenOutput = (
  stream: NodeJS.WriteStream,
  {ascii, reflows, isWide}: Options,
  forget: () => void,
): ScreenOutput => {
  const frame = createFrameTracker(isWide);
  const listeners = new Set<() => void>();
  let isMuted = false;
  let size = sizeOf(stream);
  let isFresh = true;
  let isLast = false;
  /** Rows at the frame's top that were pushed out of the terminal, and come back when it grows. */
  let lost = 0;

  const write = (chunk: unknown, ...rest: unknown[]): boolean => {
    if (isMuted) return true;
    if (typeof chunk !== 'string') return Reflect.apply(stream.write, stream, [chunk, ...rest]);
    const {text: sure, isNew} = frame.take(chunk);
    if (isNew && !isFresh) lost = 0;
    isFresh = false;
    const known = sure.replaceAll(nextLines, all => `\r\u001B[${downBy(all.length / NEXT_LINE.length)}`);
    const text = ascii ? toAscii(known) : known;
    return Reflect.apply(stream.write, stream, [withoutWrapping(text), ...rest]);
  };

  const resized = () => {
    const before = size;
    size = sizeOf(stream);
    if (frame.isDrawn()) {
      const above = frame.rowsAbove(reflows ? size.columns + 1 : Number.POSITIVE_INFINITY);
      const up = above + lost;
      stream.write(`\r${up > 0 ? `\u001B[${up}A` : ''}\u001B[J`);
      lost = Math.max(0, lost - Math.max(0, size.rows - before.rows)) + Math.max(0, above + 1 - size.rows);
      frame.clear();
      isFresh = true;
      // What it would erase is gone already, and was not where it thinks.
      isMuted = true;
      forget();
      isMuted = false;
    }
    for (const listener of listeners) listener();
  };
  stream.on('resize', resized);

  const proxy = new Proxy(stream, {
    get: (target, key) => {
      if (key === 'write') return write;
      if (key === 'columns') return size.columns;
      // Ink would draw a frame that is taller than the terminal once more when it ends, below a copy of its beginning.
      if (key === 'rows' && isLast) return Number.MAX_SAFE_INTEGER;
      // Ink would erase once more, and draw the screens of before in the new size.
      if (key === 'on' || key === 'off') return listenExceptToResize(target, key, () => proxy);
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    stream: proxy,
    size: () => size,
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    expectLast: () => {
      isLast = true;
    },
    close: () => void stream.off('resize', resized),
  };
};

const sizeOf = ({columns, rows}: NodeJS.WriteStream): ScreenSize => ({
  columns: Math.max(1, (columns || 80) - 1),
  rows: Math.max(1, rows || 24),
});

const listenExceptToResize =
  (target: NodeJS.WriteStream, method: 'on' | 'off', self: () => NodeJS.WriteStream) =>
  (name: string, listener: (...args: unknown[]) => void) => {
    if (name !== 'resize') target[method](name, listener);
    return self();
  };

const downBy = (rows: number) => (rows === 1 ? 'B' : `${rows}B`);

const withoutWrapping = (text: string) => {
  if (text === FRAME_START) return FRAME_START + WRAP_OFF;
  return text === FRAME_END ? WRAP_ON + FRAME_END : text;
};
