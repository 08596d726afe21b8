/** The entry names that a client accepts, as a test and in words: “letters, digits and dashes”. */
export type NameRule = {allows(name: string): boolean; readonly words: string};

const rule = (pattern: RegExp, words: string): NameRule => ({allows: name => pattern.test(name), words});

export const wordNames = rule(/^[a-z\d][\w-]*$/i, 'letters, digits, dashes and underscores');

export const dottedNames = rule(/^[a-z\d][\w.-]*$/i, 'letters, digits, dots, dashes and underscores');

/** For clients that split a tool's name at underscores. */
export const dashedNames = rule(/^[a-z\d][a-z\d-]*$/i, 'letters, digits and dashes');

export const anyNames = rule(/^(?!__proto__$)[^\p{Cc}]+$/u, 'anything but control characters');
