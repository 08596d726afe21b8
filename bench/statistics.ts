export type Summary = {readonly median: number; readonly min: number; readonly max: number};

/** Returns the median of the samples, and their spread. A single slow run affects the median least. */
export const summarise = (samples: readonly number[]): Summary => {
  const sorted = [...samples].sort((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  if (low === undefined || high === undefined) throw new Error('There is no middle of nothing.');
  return {median: (low + high) / 2, min: sorted[0] ?? low, max: sorted.at(-1) ?? high};
};

/** Returns the sample below which this share of all samples lies, from 0 to 1. */
export const percentile = (samples: readonly number[], share: number): number => {
  const sorted = [...samples].sort((one, other) => one - other);
  const sample = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (sample === undefined) throw new Error('There is no share of nothing.');
  return sample;
};
