/** What stands for another program's value. */
const HIDDEN = '"…"';

/** What stands for a token of ours. */
const HIDDEN_TOKEN = '"Bearer <access token>"';

/** What an entry of ours holds that may be seen, under whatever name the dialects have for it. */
const shown: ReadonlySet<string> = new Set([
  ...['name', 'description', 'type', 'url', 'serverUrl', 'httpUrl', 'uri'],
  ...['command', 'cmd', 'args', 'headersHelper', 'http_headers_helper', 'tools', 'alwaysAllow', 'autoApprove'],
]);

/** Maps whose keys are not the dialect's. */
const foreign: ReadonlySet<string> = new Set(['headers', 'http_headers', 'env', 'envs', 'environment']);

/**
 * What is shown for the value at a path of keys: undefined where it may be seen. Of an entry of ours that is what we put
 * there, but for the token; an older one of the same name may hold a secret of the person's.
 */
export const replacementAt = (
  path: readonly (string | number)[],
  key: string,
  labels: readonly string[],
): string | undefined => {
  const [root, label, ...within] = path;
  if (root !== key || !labels.includes(String(label))) return HIDDEN;
  const keys = within.filter(part => typeof part === 'string');
  const last = keys.at(-1);
  if (last === 'Authorization') return HIDDEN_TOKEN;
  return last !== undefined && shown.has(last) && !keys.slice(0, -1).some(part => foreign.has(part))
    ? undefined
    : HIDDEN;
};

/** A text that cannot be told apart: its lines are there, and nothing in them. */
export const hideWhole = (text: string): string => text.replaceAll(/\S[^\r\n]*/g, '…');
