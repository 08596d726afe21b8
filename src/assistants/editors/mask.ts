import {hasJwt} from '../../text.ts';
import type {EntryText} from '../formats/entry-format.ts';
import {applyEdits, type Edit, splitMark} from './text-edits.ts';

/** Parts of setting names whose values are secrets, or may be. */
const secretWords =
  /secret|passw|passphrase|passcode|token|credential|cookie|session|bearer|private|signature|licen[cs]e|api_?key|access_?key|connection_?string|webhook/i;

/** The same, but only as whole words: “author” and “keybindings” do not match. */
const secretWord =
  /^(?:auth|oauth|oauth2|authorization|authentication|keys?|pwd|pw|pass|pin|otp|jwt|pat|dsn|sid|salt|nonce|cert|pem|account)$/i;

/** Maps that are passed unchanged to a program or server: any of their values may be a secret. */
const handedOver = /^(?:env|envs|environment|environments|variables|vars|headers|inputs?)$/i;

/** Names that reveal nothing about the value beside them. */
const anyValue = /^(?:value|values|val|data|content|contents|default)$/i;

/** Splits `apiKey`, `api-key`, `API_KEY` or `http.apiKey` into words. */
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

/** Tokens with the prefixes of their issuers, keys, and addresses with a password. */
const secretTexts = [
  /-----BEGIN /,
  /:\/\/[^/\s@]*@/,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|AKIA|ASIA|AIza|sk-|pk-|rk_|npm_|hf_|dop_v1_|ya29\.|SG\.)[\w-]/,
  // An escaped string cannot be checked.
  /\\[ux]/,
];

/** Words next to which a secret occurs in a sentence or a command. */
const secretBeside =
  /\b(?:bearer|basic|digest)\s\s?\S|(?:secret|passw|password|passwd|passphrase|token|credentials?|api[-_ ]?key|pwd)\b["']?\s?\s?[:=]/i;

/** `NAME=value`, the form in which variables are set. */
const assignment = /(?:^|[\s"'])[A-Za-z_]\w*=\S/;

/** Runs of characters that may be a random value. Spaces split sentences into runs, and slashes split paths. */
const runs = /[A-Za-z\d+_=-]+/g;

/**
 * Whether a run looks random, like hexadecimal, Base64, a UUID or a long number: it has ten characters or more, and
 * mixes letters with digits, or changes case as no word does, or is longer than any word.
 */
const isRandom = (run: string): boolean => {
  if (run.length < 10) return false;
  if (/^\d+$/.test(run)) return true;
  const words = run.split(/[-_]/);
  // A name with a version or a date, such as claude-sonnet-4-20250514.
  if (words.length > 1 && words.every(word => /^(?:[A-Za-z]{1,12}|v?\d{1,8}|[a-z]+\d{1,2})$/.test(word))) return false;
  if (/\d/.test(run) && /[A-Za-z]/.test(run)) return true;
  if (!/^[A-Za-z]+$/.test(run)) return /[+=]/.test(run.slice(0, -2));
  // Camel case changes case every few letters, random text all the time. And no word is 24 letters long.
  const changes = run.match(/(?<=[a-z])[A-Z]|(?<=[A-Z])[a-z]/g)?.length ?? 0;
  return run.length >= 12 && (changes * 3 > run.length || (changes < 2 && run.length >= 24));
};

const hasRandom = (text: string): boolean => (text.match(runs) ?? []).some(isRandom);

const hasSecretText = (text: string): boolean =>
  hasJwt(text) || text.split(/\s/).some(hasQuery) || secretTexts.some(one => one.test(text));

/** Whether a word is an address with a query or fragment, which may contain anything. */
const hasQuery = (word: string): boolean => {
  const at = word.indexOf('://');
  return at >= 0 && /[?#]./.test(word.slice(at));
};

/** A longer value is free text, such as a prompt. */
const LONGEST = 120;

/** Whether a value may be a secret; true in case of doubt. */
export const isSecretValue = (text: string): boolean =>
  text.length > LONGEST ||
  /[\r\n]/.test(text) ||
  hasSecretText(text) ||
  secretBeside.test(text) ||
  assignment.test(text) ||
  // The value of a command-line flag may be anything.
  /\s--?[A-Za-z]/.test(text) ||
  hasRandom(text);

/** Nobody reads a longer comment in a review. */
const LONGEST_COMMENT = 2_000;

/** Whether a comment may contain a secret. Prose is shown; a commented-out setting is judged by its name. */
export const isSecretComment = (text: string): boolean =>
  text.length > LONGEST_COMMENT ||
  hasSecretText(text) ||
  secretBeside.test(text) ||
  hasRandom(text) ||
  [...text.matchAll(/(?<![\w.-])([\w.-]+)["']?\s?\s?[:=]/g)].some(([, name = '']) => isSecretName(name));

type Range = {readonly start: number; readonly end: number};

/** The parts of a text that may be secret: its values, by their paths of keys and indices, and its comments. */
export type Contents = {
  readonly values: readonly (Range & {readonly path: Path})[];
  readonly comments: readonly Range[];
};

export type Path = readonly (string | number)[];

/**
 * Returns the text to show for the value at a path; undefined if the value may be seen. `text` is the value as written.
 */
export type Replacement = (path: Path, text: string) => string | undefined;

/** The text that replaces a value that may be a secret. */
export const HIDDEN = '"…"';

/** The text that replaces a token of ours. */
const HIDDEN_TOKEN = '"Bearer <access token>"';

/**
 * Returns a file's text for showing, in the same way for every language: values and comments are replaced in place. In
 * a text that does not parse, values cannot be located: the result keeps its lines, but not their contents.
 *
 * @param find throws, or returns undefined, for a text that does not parse
 * @param comments `shown` to keep the comments that do not look as if they contain a secret
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

/** Finds the strings of the entry `name` under `key`, and in YAML its numbers: a secret there may be only digits. */
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

/** Maps whose keys the dialect does not define. */
const foreign: ReadonlySet<string> = new Set(['headers', 'http_headers', 'env', 'envs', 'environment']);

/**
 * In our own entries under `key`, shows only the values whose keys are in `shown`, since an older entry of the same
 * name may hold a secret of the person's. In other parts, shows what does not look like a secret, so that the person
 * can see that it stays; nothing if `others` is `hidden`.
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

/** Lists of arguments for a program. Any argument may be a secret, except a flag without a value. */
const argumentLists: ReadonlySet<string> = new Set(['args', 'arguments', 'argv', 'command', 'cmd', 'flags', 'options']);

const isOthersSecret = (path: Path, written: string): boolean => {
  const keys = path.filter(part => typeof part === 'string');
  const text = written.replace(/^(["'])([\s\S]*)\1$/, '$2');
  if (keys.some(isSecretName) || isSecretValue(text)) return true;
  const isArgument = typeof path.at(-1) === 'number' && argumentLists.has(keys.at(-1) ?? '');
  return isArgument && !/^(?:-[A-Za-z]|--[a-z]+(?:-[a-z]+)*)$/.test(text);
};
