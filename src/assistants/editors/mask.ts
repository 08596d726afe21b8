import {hasJwt} from '../../text.ts';
import type {EntryText} from '../formats/entry-format.ts';
import {applyEdits, type Edit, splitMark} from './text-edits.ts';

/** Words in the name of a setting whose value is a secret, or may be one. */
const secretWords =
  /secret|passw|passphrase|passcode|token|credential|cookie|session|bearer|private|signature|licen[cs]e|api_?key|access_?key|connection_?string|webhook/i;

/** The same as a word of its own: “author” and “keybindings” are none. */
const secretWord =
  /^(?:auth|oauth|oauth2|authorization|authentication|keys?|pwd|pw|pass|pin|otp|jwt|pat|dsn|sid|salt|nonce|cert|pem|account)$/i;

/** Maps that are handed to a program or a server as they are: nobody can tell which of their values are secrets. */
const handedOver = /^(?:env|envs|environment|environments|variables|vars|headers|inputs?)$/i;

/** Names that say nothing of the value beside them. */
const anyValue = /^(?:value|values|val|data|content|contents|default)$/i;

/** `apiKey`, `api-key`, `API_KEY` and `http.apiKey`, each as its words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter(word => word !== '');

/** Whether a setting of this name may hold a secret, whatever its value looks like. */
export const isSecretName = (name: string): boolean =>
  secretWords.test(name) ||
  anyValue.test(name) ||
  wordsOf(name).some(word => secretWord.test(word) || handedOver.test(word));

/** Tokens that their makers mark, keys, and addresses with a password or a query. */
const secretTexts = [
  /-----BEGIN /,
  /:\/\/[^/\s@]*@/,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|AKIA|ASIA|AIza|sk-|pk-|rk_|npm_|hf_|dop_v1_|ya29\.|SG\.)[\w-]/,
  // Escaped, a text cannot be read.
  /\\[ux]/,
];

/** Words that a secret stands beside in a sentence or in a command. */
const secretBeside =
  /\b(?:bearer|basic|digest)\s\s?\S|(?:secret|passw|password|passwd|passphrase|token|credentials?|api[-_ ]?key|pwd)\b["']?\s?\s?[:=]/i;

/** `NAME=value`, as variables are set. */
const assignment = /(?:^|[\s"'])[A-Za-z_]\w*=\S/;

/** A run of signs in which neither a word nor a path is broken. */
const runs = /[A-Za-z\d+_=-]+/g;

/** In hexadecimal, Base64 or as a UUID: digits among letters, or capitals within, and longer than words are. */
const isRandom = (run: string): boolean => {
  if (run.length < 10) return false;
  if (/^\d+$/.test(run)) return true;
  const words = run.split(/[-_]/);
  // A name with a version or a date, such as claude-sonnet-4-20250514.
  if (words.length > 1 && words.every(word => /^(?:[A-Za-z]{1,12}|v?\d{1,8}|[a-z]+\d{1,2})$/.test(word))) return false;
  if (/\d/.test(run) && /[A-Za-z]/.test(run)) return true;
  if (!/^[A-Za-z]+$/.test(run)) return /[+=]/.test(run.slice(0, -2));
  // Words in camel case change case every few letters; what is random does so all the time. No word is that long.
  const changes = run.match(/(?<=[a-z])[A-Z]|(?<=[A-Z])[a-z]/g)?.length ?? 0;
  return run.length >= 12 && (changes * 3 > run.length || (changes < 2 && run.length >= 24));
};

const hasRandom = (text: string): boolean => (text.match(runs) ?? []).some(isRandom);

const hasSecretText = (text: string): boolean =>
  hasJwt(text) || text.split(/\s/).some(hasQuery) || secretTexts.some(one => one.test(text));

/** An address with a query or a fragment, which may hold anything. */
const hasQuery = (word: string): boolean => {
  const at = word.indexOf('://');
  return at >= 0 && /[?#]./.test(word.slice(at));
};

/** A value that is longer than this is a text of somebody's, such as a prompt. */
const LONGEST = 120;

/** Whether a value may be a secret: in doubt it is. */
export const isSecretValue = (text: string): boolean =>
  text.length > LONGEST ||
  /[\r\n]/.test(text) ||
  hasSecretText(text) ||
  secretBeside.test(text) ||
  assignment.test(text) ||
  // What follows a flag of a command may be anything.
  /\s--?[A-Za-z]/.test(text) ||
  hasRandom(text);

/** A comment that is longer than this is read by nobody in a review. */
const LONGEST_COMMENT = 2_000;

/** Whether a secret stands in a comment: prose is shown, and a setting that was commented out is judged by its name. */
export const isSecretComment = (text: string): boolean =>
  text.length > LONGEST_COMMENT ||
  hasSecretText(text) ||
  secretBeside.test(text) ||
  hasRandom(text) ||
  [...text.matchAll(/(?<![\w.-])([\w.-]+)["']?\s?\s?[:=]/g)].some(([, name = '']) => isSecretName(name));

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
