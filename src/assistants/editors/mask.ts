import {applyEdits, type Edit, splitMark} from './text-edits.ts';

type Range = {readonly start: number; readonly end: number};

/** Where in a text something stands that may be secret: its values by their paths of keys and indices, and its comments. */
export type Contents = {
  readonly values: readonly (Range & {readonly path: Path})[];
  readonly comments: readonly Range[];
};

export type Path = readonly (string | number)[];

/** What is shown for the value at a path; undefined where it may be seen. */
export type Replacement = (path: Path) => string | undefined;

/** What stands for another program's value. */
export const HIDDEN = '"…"';

/** What stands for a token of ours. */
const HIDDEN_TOKEN = '"Bearer <access token>"';

/**
 * A file's text for showing, the same in every language: values and comments are replaced where they stand. A text that
 * does not parse cannot be told apart: its lines are there, and nothing in them.
 *
 * @param find throws, or gives nothing, for a text that does not parse
 */
export const mask = (
  text: string,
  find: (body: string) => Contents | undefined,
  replacementAt: Replacement = () => HIDDEN,
): string => {
  const [mark, body] = splitMark(text);
  const found = contentsOf(body, find);
  if (!found) return text.replaceAll(/\S[^\r\n]*/g, '…');
  const values = found.values.flatMap(({path, start, end}): readonly Edit[] => {
    const put = replacementAt(path);
    return put === undefined ? [] : [{start, end, put}];
  });
  const comments = found.comments.map(range => ({...range, put: commentLike(body.slice(range.start))}));
  return mark + applyEdits(body, [...values, ...comments]);
};

const contentsOf = (body: string, find: (body: string) => Contents | undefined): Contents | undefined => {
  try {
    return find(body);
  } catch {
    return undefined;
  }
};

const commentLike = (comment: string): string => {
  if (comment.startsWith('/*')) return '/* … */';
  return comment.startsWith('//') ? '// …' : '# …';
};

/** Maps whose keys are not the dialect's. */
const foreign: ReadonlySet<string> = new Set(['headers', 'http_headers', 'env', 'envs', 'environment']);

/**
 * Shows, of our own entries under `key`, the values whose keys are in `shown`. An older entry of the same name may hold a
 * secret of the person's.
 */
export const allButEntries =
  (key: string, labels: readonly string[], shown: readonly string[]): Replacement =>
  ([root, label, ...within]) => {
    if (root !== key || !labels.includes(String(label))) return HIDDEN;
    const keys = within.filter(part => typeof part === 'string');
    const last = keys.at(-1);
    if (last === 'Authorization') return HIDDEN_TOKEN;
    return last !== undefined && shown.includes(last) && !keys.slice(0, -1).some(part => foreign.has(part))
      ? undefined
      : HIDDEN;
  };
