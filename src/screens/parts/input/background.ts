import {createContext, useContext, useSyncExternalStore} from 'react';

/** What the terminal's background is, as far as that is known. */
export type Background = {
  readonly isDark: () => boolean;
  /** Takes an answer of the terminal, of whatever kind. */
  readonly hear: (answer: string) => void;
  /** Calls `listener` when it becomes known. Returns how to stop that. */
  readonly subscribe: (listener: () => void) => () => void;
};

/** Asks for the background's colour (XTerm Control Sequences, OSC 11). */
export const BACKGROUND_QUERY = '\u001B]11;?\u001B\\';

/** The answer: `rgb:rrrr/gggg/bbbb`, with one to four digits a part, or `rgba:`. */
const answered = /^\u001B\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i;

/** @param isDark what the environment says of it; it counts until the terminal answers */
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

/** Up to this luminance the green of xterm and of Solarized is legible: it has a contrast of 4.5 to 1. */
const DARK = 0.022;

/** Relative luminance (WCAG 2.2) of red, green and blue from 0 to 1. */
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
