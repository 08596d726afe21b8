import {Box, useWindowSize, type WindowSize} from 'ink';
import {createContext, type ReactNode, useContext, useSyncExternalStore} from 'react';
import {useIsLeaving} from './leave.tsx';
import {Text} from './text.tsx';

const SizeContext = createContext<WindowSize>({columns: 80, rows: 24});

/** Listens for a resize once, for all that is below: each listener of Ink's is one more on the terminal's stream. */
export function SizeProvider({children}: {readonly children: ReactNode}) {
  return <SizeContext value={useWindowSize()}>{children}</SizeContext>;
}

type Source = {
  readonly size: () => WindowSize;
  readonly subscribe: (listener: () => void) => () => void;
};

/** The same where somebody else listens, who takes the frame of before away first. */
export function SizeFrom({source, children}: {readonly source: Source; readonly children: ReactNode}) {
  return <SizeContext value={useSyncExternalStore(source.subscribe, source.size)}>{children}</SizeContext>;
}

/** The size that there is for screens, in columns and rows. */
export const useSize = (): WindowSize => useContext(SizeContext);

/** The row below the frame: one that fills the terminal cannot be drawn over, only anew. */
const SPARE = 1;

/** How many rows a frame may have. */
export const useFrameRows = (): number => Math.max(1, useSize().rows - SPARE);

/**
 * A frame that is never taller than the terminal: what has scrolled away cannot be drawn over, and each redraw would leave
 * one more copy of it. The last one stays as it is, and is whole.
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

/** The part of a list that is shown, and what is left out of it. */
export type Window = {
  readonly top: number;
  readonly shown: number;
  readonly above: number;
  readonly below: number;
};

/**
 * The part of a list of `count` lines for which there are `room` rows, with the line at `at` in it. Where not all fit, one
 * row is kept for saying so.
 */
export const windowOf = (count: number, at: number, room: number): Window => {
  const shown = count <= room ? count : Math.max(1, room - 1);
  const top = Math.max(0, Math.min(at - Math.floor(shown / 2), count - shown));
  return {top, shown, above: top, below: count - top - shown};
};

/** What of a list is out of sight; nothing when all of it is seen. */
export function Rest({window: {above, below}}: {readonly window: Window}) {
  if (above === 0 && below === 0) return null;
  const parts = [...(above > 0 ? [`${above} more above`] : []), ...(below > 0 ? [`${below} more below`] : [])];
  return <Text wrap="truncate">{`    ${parts.join(', ')}`}</Text>;
}
