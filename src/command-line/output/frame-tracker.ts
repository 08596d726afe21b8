import stringWidth from 'string-width';

export type FrameTracker = {
  /**
   * Takes a chunk that Ink writes. `text` is the chunk, corrected for signs of uncertain width. `isNew` is true if the
   * chunk begins a new block of lines instead of changing the previous one.
   */
  readonly take: (chunk: string) => {readonly text: string; readonly isNew: boolean};
  /** Starts again at the cursor's position. */
  readonly clear: () => void;
  /** Whether anything is on the screen. */
  readonly isDrawn: () => boolean;
  /** Returns the number of the frame's rows above the cursor's row in a terminal of this width. */
  readonly rowsAbove: (columns: number) => number;
};

/** The parts of an incremental frame: sequences that move, erase and style, line ends, and text. */
const parts = /\u001B\[([?\d;]*)([A-Za-z])|\u001B\][^\u0007]*\u0007|[\r\n]|[^\u001B\r\n]+/g;

/** A style (SGR), or a character. */
const stylesAndCharacters = /\u001B\[[\d;]*m|\P{M}(?:\p{M}|\u200D|\uFE0F)*/gu;
const styles = /\u001B\[[\d;]*m/g;

/** Characters on whose width terminals disagree. */
const emoji = /\p{Emoji_Presentation}|\u200D|\uFE0F/u;
const beyondAscii = /[^\u0000-\u007F]/;

/**
 * Tracks the content of each line of the frame. Ink moves to a column and redraws the rest of the line. After a
 * character that this terminal draws wider or narrower than Ink assumes, that column is wrong, so the line is redrawn
 * from its beginning.
 *
 * @param isWide whether this applies to every sign beyond ASCII
 */
export const createFrameTracker = (isWide: boolean): FrameTracker => {
  const uncertain = isWide ? beyondAscii : emoji;
  let lines: string[] = [''];
  let at = 0;
  let column = 0;

  const line = () => lines[at] ?? '';
  /** Applies a sequence to the tracked lines and position. Returns what to write for it. */
  const obey = (sequence: string, parameters: string, code: string): string => {
    const count = Number(parameters.split(';')[0]) || 1;
    if (code === 'm') lines[at] = line() + sequence;
    else if (code === 'A') at = Math.max(0, at - count);
    else if (code === 'B') at += count;
    else if (code === 'E') [at, column] = [at + count, 0];
    else if (code === 'K') lines[at] = parameters === '2' ? '' : firstColumns(line(), column);
    else if (code === 'J') lines = [...lines.slice(0, at), firstColumns(line(), column)];
    else if (code === 'H') [at, column] = [0, 0];
    else if (code === 'G') {
      column = count - 1;
      const before = firstColumns(line(), column);
      if (beyondAscii.test(before) && uncertain.test(before)) return `\r${before}`;
    }
    return sequence;
  };
  const clear = () => {
    [lines, at, column] = [[''], 0, 0];
  };
  const takePart = (text: string, parameters: string, code: string | undefined): string => {
    if (code !== undefined) return obey(text, parameters, code);
    if (text === '\n') [at, column] = [at + 1, 0];
    else if (text === '\r') column = 0;
    else if (!text.startsWith('\u001B')) {
      column += widthOf(text);
      lines[at] = line() + text;
    }
    return text;
  };
  return {
    take: chunk => {
      const found = [...chunk.matchAll(parts)];
      const says = found.some(([text, , code]) => code === undefined && !text.startsWith('\u001B'));
      // A redraw moves to an earlier line (A), or past a line that stays the same (E). Other output is a new frame, or
      // text that will stand above a frame.
      const isNew = says && !found.some(([, , code]) => code === 'A' || code === 'E');
      if (isNew) clear();
      return {text: found.map(([text, parameters, code]) => takePart(text, parameters ?? '', code)).join(''), isNew};
    },
    clear,
    isDrawn: () => lines.some(text => text.replaceAll(styles, '') !== ''),
    rowsAbove: columns =>
      Array.from({length: at + 1}, (_, row) => widthOf((lines[row] ?? '').replaceAll(styles, ''))).reduce(
        (rows, width) => rows + Math.max(1, Math.ceil(width / columns)),
        0,
      ) - 1,
  };
};

const widthOf = (text: string) => (beyondAscii.test(text) ? stringWidth(text) : text.length);

/** The end of one style, or of all (ECMA-48 8.3.117). */
const ending = /^\u001B\[(?:0|2[2-9]|39|49|59)?m$/;

/** Returns a line up to a column, with its styles. A style that begins exactly there belongs to the erased part. */
const firstColumns = (text: string, columns: number): string => {
  if (columns === 0) return '';
  let [shown, used] = ['', 0];
  for (const [part] of text.matchAll(stylesAndCharacters)) {
    const isStyle = part.startsWith('\u001B');
    const width = isStyle ? 0 : widthOf(part);
    if (used + width > columns) break;
    if (isStyle && used === columns && !ending.test(part)) continue;
    [shown, used] = [shown + part, used + width];
  }
  return shown;
};
