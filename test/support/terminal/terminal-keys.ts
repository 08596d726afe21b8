const bytes = {
  enter: '\r',
  esc: '\x1b',
  tab: '\t',
  up: '\x1b[A',
  down: '\x1b[B',
  'ctrl-c': '\x03',
  'ctrl-u': '\x15',
} as const;

export type KeyName = keyof typeof bytes;

/** Returns what a terminal sends for a key. Text that names no key is sent as it is. */
export const keyBytes = (key: string): string => {
  if (key in bytes) return bytes[key as KeyName];
  // Otherwise the name would be typed, and the test would go on with another text than it says.
  if (/^ctrl-\w$/.test(key)) throw new Error(`There is no key ${key} here yet.`);
  return key;
};
