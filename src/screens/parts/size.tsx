import {Box, useWindowSize, type WindowSize} from 'ink';
import {createContext, type ReactNode, useContext, useSyncExternalStore} from 'react';
import {useIsLeaving} from './leave.tsx';
import {Text} from './safe-text.tsx';

const SizeContext = createContext<WindowSize>({columns: 80, rows: 24});

/** Listens for resizes once for all components below: each of Ink's own hooks adds a listener to the stream. */
export function SizeProvider({children}: {readonly children: ReactNode}) {
  return <SizeContext value={useWindowSize()}>{children}</SizeContext>;
}

type Source = {
  readonly size: () => WindowSize;
  readonly subscribe: (listener: () => void) => () => void;
};

/** Provides the size from a source that listens for resizes itself, and removes the previous frame first. */
export function SizeFrom({source, children}: {readonly source: Source; readonly children: ReactNode}) {
  return <SizeContext value={useSyncExternalStore(source.subscribe, source.size)}>{children}</SizeContext>;
}

/** Returns the size that screens may use, in columns and rows. */
export const useSize = (): WindowSize => useContext(SizeContext);

/** The row below the frame. A frame that fills the terminal cannot be redrawn in place. */
const SPARE = 1;

/** Returns the most rows that a frame may have. */
export const useFrameRows = (): number => Math.max(1, useSize().rows - SPARE);

/**
 * A frame that is never taller than the terminal: rows that have scrolled away cannot be redrawn, and each redraw would
 * leave another copy of them. The last frame stays as it is, in full height.
 */
export function Frame({children}: {readonly children: ReactNode}) {
  const most = useFrameRows();
  const isLast = useIsLeaving();
  return (
    <Box flexDirection="column" {...(isLast ? {} : {maxHeight: most, overflowY: 'hidden'})}>
      {children}
    </Box>
  );
}

/** The part of a list that is shown, and the number of lines left out. */
export type Window = {
  readonly top: number;
  readonly shown: number;
  readonly above: number;
  readonly below: number;
};

/**
 * Returns the part of a list of `count` lines that fits into `room` rows and contains the line at `at`. If not all fit,
 * one row is reserved for the count of the others.
 */
export const windowOf = (count: number, at: number, room: number): Window => {
  const shown = count <= room ? count : Math.max(1, room - 1);
  const top = Math.max(0, Math.min(at - Math.floor(shown / 2), count - shown));
  return {top, shown, above: top, below: count - top - shown};
};

/** Shows how many lines of a list are out of sight; nothing if all are shown. */
export function Rest({window: {above, below}}: {readonly window: Window}) {
  if (above === 0 && below === 0) return null;
  const parts = [...(above > 0 ? [`${above} more above`] : []), ...(below > 0 ? [`${below} more below`] : [])];
  return <Text wrap="truncate">{`    ${parts.join(', ')}`}</Text>;
}
