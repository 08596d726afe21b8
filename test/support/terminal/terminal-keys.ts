const bytes = {
  enter: '\r',
  esc: '\x1b',
  tab: '\t',
  up: '\x1b[A',
  down: '\x1b[B',
  'ctrl-c': '\x03',
} as const;

export type KeyName = keyof typeof bytes;

/** Returns what a terminal sends for a key. Text that names no key is sent as it is. */
export const keyBytes = (key: string): string => (key in bytes ? bytes[key as KeyName] : key);
