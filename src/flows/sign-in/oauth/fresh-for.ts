/** No answer is kept for longer, whatever it allows, and one that says nothing is kept for as long. In milliseconds: a day. */
const LONGEST = 24 * 60 * 60 * 1000;

/**
 * How long an answer may be kept, as its `Cache-Control` says (RFC 9111 5.2.2).
 *
 * @param header gives a header by its name in lower case
 * @returns milliseconds; 0 where it may not be kept, or only be asked for again
 */
export const freshFor = (header: (name: string) => string | null | undefined): number => {
  const words = (header('cache-control') ?? '')
    .toLowerCase()
    .split(',')
    .map(word => word.trim());
  if (words.includes('no-store') || words.includes('no-cache')) return 0;
  const age = words.find(word => word.startsWith('max-age='))?.slice('max-age='.length);
  if (age === undefined || !/^"?\d+"?$/.test(age)) return LONGEST;
  const spent = Number(header('age') ?? 0) || 0;
  return Math.min(Math.max(Number(age.replaceAll('"', '')) - spent, 0) * 1000, LONGEST);
};
