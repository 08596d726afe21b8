import {Text} from '../text.tsx';

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
