/** The version in what a program prints for `--version`; undefined when there is none in it. */
export const readVersion = (output: string): string | undefined => /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(output)?.[0];

/** Whether `version` is `least` or newer. A preview of a version comes before it (Semantic Versioning 11). */
export const isAtLeast = (version: string, least: string): boolean => {
  const [numbers = [], wanted = []] = [version, least].map(partsOf);
  const differing = numbers.findIndex((number, index) => number !== wanted[index]);
  if (differing < 0) return !version.includes('-');
  return (numbers[differing] ?? 0) > (wanted[differing] ?? 0);
};

const partsOf = (version: string): readonly number[] => (version.split('-')[0] ?? '').split('.').map(Number);
