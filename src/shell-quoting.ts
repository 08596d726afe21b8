/** Whether a word needs no quotes in any shell. */
export const isPlainWord = (word: string): boolean => /^[\w@%+=:,./-]+$/.test(word);

/** Returns a word for a POSIX shell, in quotes if it needs them. */
export const posixWord = (word: string): string => (isPlainWord(word) ? word : posixQuoted(word));

/** Returns a word in single quotes for a POSIX shell. */
export const posixQuoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
