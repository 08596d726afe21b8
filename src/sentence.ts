/** Returns the first sentence of a text, without what follows it; its first line if no sentence ends there. */
export const firstSentence = (text: string): string =>
  /^[^\n]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.split('\n')[0] ?? '';

/** Returns a text with a full stop, unless it ends like a sentence. */
export const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Returns a text that begins with a capital letter. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
