/** Whether made-up cases are gone through in full, as `npm run suite properties` does. */
export const isWhole = process.env.WHOLE_PROPERTIES === '1';

/** By how many made-up cases a property is tried, always the same ones: so many of them in `npm test`, and all in its own suite. */
export const propertyRuns = (some: number, all: number): {readonly numRuns: number; readonly seed: number} => ({
  numRuns: isWhole ? all : some,
  seed: 20_261_123,
});
