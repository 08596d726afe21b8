import {createFrameTracker} from './frame-tracker.ts';
import {toAscii} from './output.ts';

/** The size for which screens are laid out, in columns and rows. */
export type ScreenSize = {readonly columns: number; readonly rows: number};

/** A terminal as Ink draws on it. */
export type ScreenOutput = {
  readonly stream: NodeJS.WriteStream;
  /** Returns the size without the last column: if a sign is wider than assumed, the line still fits its row. */
  readonly size: () => ScreenSize;
  /** Calls `listener` after each resize, once the previous frame is removed. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Announces the last frame. It may be taller than the terminal, because it is not redrawn. */
  readonly expectLast: () => void;
  /** Releases the terminal. */
  readonly close: () => void;
};

type Options = {
  /** Whether only ASCII may be written. */
  readonly ascii: boolean;
  /** Whether the terminal rewraps its lines when it gets narrower, rather than cutting them off. */
  readonly reflows: boolean;
  /** Whether signs beyond ASCII may take two columns, as in East Asian terminals. */
  readonly isWide: boolean;
};

/** Synchronised output (mode 2026) and automatic wrapping (DECAWM, mode 7). */
const FRAME_START = '\u001B[?2026h';
const FRAME_END = '\u001B[?2026l';
const WRAP_OFF = '\u001B[?7l';
const WRAP_ON = '\u001B[?7h';

/** Cursor next line (CNL), one or several. mosh and other small terminals do not know it. */
const nextLines = /(?:\u001B\[E)+/g;
const NEXT_LINE = '\u001B[E';

/**
 * Creates an output for frames that Ink draws incrementally. It writes only what every terminal knows, turns wrapping
 * off while a frame is drawn, and removes the frame after a resize: Ink counts the rows that it wrote, but a narrower
 * terminal shows the lines on more rows.
 *
 * @param forget makes Ink forget its last frame, so that it draws the next one whole
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
  /** The rows at the frame's top that were pushed out of the terminal. They come back when it grows. */
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
      // The frame that Ink would erase now is already removed, and was in another place than Ink assumes.
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
      // When Ink ends, it would draw a frame taller than the terminal again, below a copy of its beginning.
      if (key === 'rows' && isLast) return Number.MAX_SAFE_INTEGER;
      // If Ink heard of a resize, it would erase again, and draw the previous screens in the new size.
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
