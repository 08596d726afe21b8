/** The three numbers of a version; undefined for what is none (SemVer 2.0.0, 2). */
const numbersIn = (version: string): readonly number[] | undefined =>
  /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version)?.slice(1).map(Number);

/** Whether a version is newer than another by its three numbers. False where one of them is no version. */
export const isNewer = (version: string, other: string): boolean => {
  const [one, two] = [numbersIn(version), numbersIn(other)];
  if (!one || !two) return false;
  const at = one.findIndex((number, index) => number !== two[index]);
  return at !== -1 && (one[at] ?? 0) > (two[at] ?? 0);
};
