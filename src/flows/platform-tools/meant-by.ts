/** The most letters by which a name may differ from the intended one; for a short name, half of its letters. */
const MOST_SLIPS = 4;

/** Returns the existing name that a person probably meant by another one; undefined if none is similar. */
export const meantBy = async (written: string, names: readonly string[]): Promise<string | undefined> => {
  const {closestMatch} = await import('leven');
  const maxDistance = Math.min(MOST_SLIPS, Math.floor(written.length / 2));
  const alike = names.filter(name => Math.abs(name.length - written.length) <= maxDistance);
  return closestMatch(written, alike, {maxDistance});
};
