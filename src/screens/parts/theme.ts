import {createContext, useContext, useSyncExternalStore} from 'react';

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
  /** Stands before the character at the cursor if the terminal shows no inverse text. */
  readonly cursor?: string;
};

/** The signs of states. Each has a plain form, for terminals and fonts without these characters. */
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

/** Returns the signs for a terminal without colours and inverse text. */
export const withoutStyles = (glyphs: Glyphs): Glyphs => ({...glyphs, cursor: glyphs === plainGlyphs ? '|' : '▏'});

/**
 * The meanings of colours. All are the terminal's own, so that every theme works, and none carries meaning alone. Signs
 * are coloured, not words: yellow is illegible on white, and red on black. The one exception is a heading of success on
 * a dark background (`useIsDark`). Important text is bold, and never dim: dim text is illegible on some backgrounds.
 */
export const color = {success: 'green', warning: 'yellow', danger: 'red'} as const;

const GlyphContext = createContext<Glyphs>(unicodeGlyphs);

export const GlyphProvider = GlyphContext.Provider;

export const useGlyphs = (): Glyphs => useContext(GlyphContext);

/** Knows whether the terminal's background is dark. */
export type Background = {
  readonly isDark: () => boolean;
  /** Takes any answer of the terminal. */
  readonly hear: (answer: string) => void;
  /** Calls `listener` when the background becomes known. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
};

/** Asks for the background's colour (XTerm Control Sequences, OSC 11). */
export const BACKGROUND_QUERY = '\u001B]11;?\u001B\\';

/** The answer: `rgb:rrrr/gggg/bbbb`, with one to four digits for each part, or `rgba:`. */
const answered = /^\u001B\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i;

/** @param isDark what the environment says, which is assumed until the terminal answers */
export const createBackground = (isDark = false): Background => {
  const listeners = new Set<() => void>();
  let known = isDark;
  return {
    isDark: () => known,
    hear: answer => {
      const [, ...parts] = answered.exec(answer) ?? [];
      if (parts.length === 0) return;
      known = luminance(parts.map(part => Number.parseInt(part, 16) / (16 ** part.length - 1))) < DARK;
      for (const listener of listeners) listener();
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The highest luminance on which the green of xterm and of Solarized is legible, with a contrast of 4.5 to 1. */
const DARK = 0.022;

/** Returns the relative luminance (WCAG 2.2) of red, green and blue from 0 to 1. */
export const luminance = (parts: readonly number[]): number => {
  const [red = 0, green = 0, blue = 0] = parts.map(part =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const BackgroundContext = createContext<Background>(createBackground());

export const BackgroundProvider = BackgroundContext.Provider;

/** Whether the background is so dark that coloured words are legible on it. */
export const useIsDark = (): boolean => {
  const {subscribe, isDark} = useContext(BackgroundContext);
  return useSyncExternalStore(subscribe, isDark);
};
