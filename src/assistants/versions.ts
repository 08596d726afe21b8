/** Returns the version in the `--version` output of a program; undefined if it contains none. */
export const readVersion = (output: string): string | undefined => /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(output)?.[0];

/** Whether `version` is `least` or newer. A pre-release comes before its version (Semantic Versioning 11). */
export const isAtLeast = (version: string, least: string): boolean => {
  const [numbers = [], wanted = []] = [version, least].map(partsOf);
  const differing = numbers.findIndex((number, index) => number !== wanted[index]);
  if (differing < 0) return !version.includes('-');
  return (numbers[differing] ?? 0) > (wanted[differing] ?? 0);
};

const partsOf = (version: string): readonly number[] => (version.split('-')[0] ?? '').split('.').map(Number);
