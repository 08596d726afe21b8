import {useWindowSize, type WindowSize} from 'ink';
import {createContext, type ReactNode, useContext} from 'react';

const SizeContext = createContext<WindowSize>({columns: 80, rows: 24});

/** Listens for a resize once, for all that is below: each listener of Ink's is one more on the terminal's stream. */
export function SizeProvider({children}: {readonly children: ReactNode}) {
  return <SizeContext value={useWindowSize()}>{children}</SizeContext>;
}

/** The terminal's size in columns and rows. */
export const useSize = (): WindowSize => useContext(SizeContext);
