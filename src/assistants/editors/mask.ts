import type {EntryText} from '../formats/entry-format.ts';
import {isSecretComment, isSecretName, isSecretValue} from './looks-secret.ts';
import {applyEdits, type Edit, splitMark} from './text-edits.ts';

type Range = {readonly start: number; readonly end: number};

/** Where in a text something stands that may be secret: its values by their paths of keys and indices, and its comments. */
export type Contents = {
  readonly values: readonly (Range & {readonly path: Path})[];
  readonly comments: readonly Range[];
};

export type Path = readonly (string | number)[];

/** What is shown for the value at a path, of which `text` is how it is written; undefined where it may be seen. */
export type Replacement = (path: Path, text: string) => string | undefined;

/** What stands for another program's value. */
export const HIDDEN = '"…"';

/** What stands for a token of ours. */
const HIDDEN_TOKEN = '"Bearer <access token>"';

/**
 * A file's text for showing, the same in every language: values and comments are replaced where they stand. A text that
 * does not parse cannot be told apart: its lines are there, and nothing in them.
 *
 * @param find throws, or gives nothing, for a text that does not parse
 * @param comments whether those are shown that do not look as if a secret was in them
 */
export const mask = (
  text: string,
  find: (body: string) => Contents | undefined,
  replacementAt: Replacement = () => HIDDEN,
  comments: 'shown' | 'hidden' = 'hidden',
): string => {
  const [mark, body] = splitMark(text);
  const found = contentsOf(body, find);
  if (!found) return text.replaceAll(/\S[^\r\n]*/g, '…');
  const values = found.values.flatMap(({path, start, end}): readonly Edit[] => {
    const put = replacementAt(path, body.slice(start, end));
    return put === undefined ? [] : [{start, end, put}];
  });
  const hidden = found.comments.flatMap((range): readonly Edit[] => {
    const comment = body.slice(range.start, range.end);
    return comments === 'shown' && !isSecretComment(comment) ? [] : [{...range, put: commentLike(comment)}];
  });
  return mark + applyEdits(body, [...values, ...hidden]);
};

/** Where the texts of the entry `name` under `key` stand. */
export const textsOfEntry = (
  text: string,
  find: (body: string) => Contents | undefined,
  key: string,
  name: string,
): readonly EntryText[] => {
  const [mark, body] = splitMark(text);
  const values = contentsOf(body, find)?.values ?? [];
  return values.flatMap(({path: [root, label, ...path], start, end}) =>
    root === key && label === name ? [{path, start: start + mark.length, end: end + mark.length}] : [],
  );
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
 * Shows, of our own entries under `key`, the values whose keys are in `shown`: an older entry of the same name may hold a
 * secret of the person's. Of what is somebody else's it shows what does not look like a secret, so that one can see that it
 * stays.
 */
export const allButEntries =
  (key: string, labels: readonly string[], shown: readonly string[], others: 'shown' | 'hidden'): Replacement =>
  (path, text) => {
    const [root, label, ...within] = path;
    if (root !== key || !labels.includes(String(label))) {
      const isHidden = others === 'hidden' || isOthersSecret(root === key ? within : path, text);
      return isHidden ? HIDDEN : undefined;
    }
    const keys = within.filter(part => typeof part === 'string');
    const last = keys.at(-1);
    if (last === 'Authorization') return HIDDEN_TOKEN;
    return last !== undefined && shown.includes(last) && !keys.slice(0, -1).some(part => foreign.has(part))
      ? undefined
      : HIDDEN;
  };

/** Lists of words for a program: any of them may be a secret but a flag that has no value in it. */
const argumentLists: ReadonlySet<string> = new Set(['args', 'arguments', 'argv', 'command', 'cmd', 'flags', 'options']);

const isOthersSecret = (path: Path, written: string): boolean => {
  const keys = path.filter(part => typeof part === 'string');
  const text = written.replace(/^(["'])([\s\S]*)\1$/, '$2');
  if (keys.some(isSecretName) || isSecretValue(text)) return true;
  const isArgument = typeof path.at(-1) === 'number' && argumentLists.has(keys.at(-1) ?? '');
  return isArgument && !/^(?:-[A-Za-z]|--[a-z]+(?:-[a-z]+)*)$/.test(text);
};
