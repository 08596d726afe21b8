/** True if all generated cases are run, as `npm run suite properties` does. */
export const isWhole = process.env.WHOLE_PROPERTIES === '1';

/**
 * Returns the number of generated cases for a property, always the same cases: `some` in `npm test`, and `all` in the
 * suite.
 */
export const propertyRuns = (some: number, all: number): {readonly numRuns: number; readonly seed: number} => ({
  numRuns: isWhole ? all : some,
  seed: 20_261_123,
});
