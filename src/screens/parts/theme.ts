import {createContext, useContext} from 'react';

export type Glyphs = {
  readonly current: string;
  readonly done: string;
  readonly failed: string;
  readonly warning: string;
  readonly waiting: string;
  readonly none: string;
  readonly pointer: string;
  readonly ellipsis: string;
  readonly upDown: string;
  readonly mask: string;
  readonly ticked: string;
  readonly unticked: string;
  /** What stands before the character that the cursor is on, where the terminal shows nothing inverse. */
  readonly cursor?: string;
};

/** The signs of a state. Each has a plain form, as some terminals and fonts have no others. */
export const unicodeGlyphs: Glyphs = {
  current: '●',
  done: '✔',
  failed: '✖',
  warning: '▲',
  waiting: '○',
  none: '┊',
  pointer: '❯',
  ellipsis: '…',
  upDown: '↑↓',
  mask: '•',
  ticked: '◉',
  unticked: '◯',
};

export const plainGlyphs: Glyphs = {
  current: '*',
  done: '+',
  failed: 'x',
  warning: '!',
  waiting: 'o',
  none: '-',
  pointer: '>',
  ellipsis: '...',
  upDown: 'up/down',
  mask: '*',
  ticked: '[x]',
  unticked: '[ ]',
};

/** The same where nothing has a colour, and nothing is inverse. */
export const withoutStyles = (glyphs: Glyphs): Glyphs => ({...glyphs, cursor: glyphs === plainGlyphs ? '|' : '▏'});

/**
 * What colours mean. All are the terminal's own, so that every theme works; none carries meaning alone. Signs have them,
 * and words do not: yellow is illegible on white, and red on black. What matters is bold; nothing is dim, which is
 * illegible on one background or the other.
 */
export const color = {success: 'green', warning: 'yellow', danger: 'red'} as const;

const GlyphContext = createContext<Glyphs>(unicodeGlyphs);

export const GlyphProvider = GlyphContext.Provider;

export const useGlyphs = (): Glyphs => useContext(GlyphContext);
