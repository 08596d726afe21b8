import {hasJwt} from '../../text.ts';

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
