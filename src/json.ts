/**
 * Parses a JSON text from outside into objects that inherit nothing: `__proto__` and `constructor` are ordinary keys,
 * and a missing member is undefined.
 *
 * @throws SyntaxError
 */
export const parseJson = (text: string): unknown => withoutPrototypes(JSON.parse(text));

/** Removes the prototype of every object in a freshly parsed value, and returns that value. */
export const withoutPrototypes = (value: unknown): unknown => {
  // Uses a list instead of recursion: the nesting may be deeper than the call stack. A YAML alias may form a cycle.
  const waiting: object[] = [];
  const seen = new Set<unknown>();
  const visit = (next: unknown) => {
    if (typeof next !== 'object' || next === null || seen.has(next)) return;
    seen.add(next);
    // Dates and similar objects keep their prototypes.
    if (Array.isArray(next) || Object.getPrototypeOf(next) === Object.prototype) waiting.push(next);
  };
  visit(value);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!Array.isArray(next)) Object.setPrototypeOf(next, null);
    for (const inner of Object.values(next)) visit(inner);
  }
  return value;
};

/** Whether two values are equal, whatever their objects inherit. The order of members does not matter. */
export const isSameValue = (one: unknown, other: unknown): boolean => {
  if (!isObject(one) || !isObject(other)) return Object.is(one, other);
  if (one instanceof Date || other instanceof Date)
    return one instanceof Date && other instanceof Date && Object.is(one.getTime(), other.getTime());
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(key => Object.hasOwn(other, key) && isSameValue(memberOf(one, key), memberOf(other, key)))
  );
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const memberOf = (value: object, key: string): unknown => (value as Readonly<Record<string, unknown>>)[key];
