/** What stands for another program's value. */
const HIDDEN = '"…"';

/** What stands for a token of ours. */
const HIDDEN_TOKEN = '"Bearer <access token>"';

/** What is shown for the value at a path of keys: undefined where it may be seen. */
export const replacementAt = (
  path: readonly (string | number)[],
  key: string,
  labels: readonly string[],
): string | undefined => {
  if (path[0] !== key || !labels.includes(String(path[1]))) return HIDDEN;
  return path.at(-1) === 'Authorization' ? HIDDEN_TOKEN : undefined;
};

/** A text that cannot be told apart: its lines are there, and nothing in them. */
export const hideWhole = (text: string): string => text.replaceAll(/\S[^\r\n]*/g, '…');
