/** TOML of what an entry is made of: strings, numbers, booleans, lists, and maps as inline tables (TOML 1.0). */
export const tomlValue = (value: unknown): string => {
  if (typeof value === 'string') return tomlString(value);
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = pairsOf(value);
  return pairs.length > 0 ? `{ ${pairs.join(', ')} }` : '{}';
};

/** A key, quoted where it has to be. */
export const tomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : basicString(key));

/** The lines of a table: its header and its values. */
export const tomlTable = (keys: readonly string[], entry: object): readonly string[] => [
  `[${keys.map(tomlKey).join('.')}]`,
  ...pairsOf(entry),
];

/** The same of a table in a list. */
export const tomlListed = (key: string, entry: object): readonly string[] => [`[[${tomlKey(key)}]]`, ...pairsOf(entry)];

const pairsOf = (value: object): readonly string[] =>
  Object.entries(value).map(([key, item]) => `${tomlKey(key)} = ${tomlValue(item)}`);

/** Literal where there are backslashes or double quotes, as in paths of Windows and command lines. */
const tomlString = (text: string) =>
  /["\\]/.test(text) && !/['\u0000-\u001f\u007f]/.test(text) ? `'${text}'` : basicString(text);

/** JSON escapes all that TOML wants escaped, but for one control character. */
const basicString = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\u007f');
