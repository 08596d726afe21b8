/** Letters by which a name may differ from the one that was meant: half of a short one's, and never more than these. */
const MOST_SLIPS = 4;

/** The name that somebody meant who wrote another one, among those that there are; undefined where none is alike. */
export const meantBy = async (written: string, names: readonly string[]): Promise<string | undefined> => {
  const {closestMatch} = await import('leven');
  const maxDistance = Math.min(MOST_SLIPS, Math.floor(written.length / 2));
  const alike = names.filter(name => Math.abs(name.length - written.length) <= maxDistance);
  return closestMatch(written, alike, {maxDistance});
};
