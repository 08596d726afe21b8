import {cleanText} from '../../text.ts';

/** What a server says of a token that it does not take, in words that may be shown. */
export type Challenge = {
  /** Why, for programs (RFC 6750 3.1). */
  readonly error?: string;
  /** Why, for people (RFC 6750 3). */
  readonly description?: string;
  /** What the token would have to be good for: scopes, with spaces between (RFC 6750 3.1, MCP 2025-11-25 authorization). */
  readonly scope?: string;
  /** Where its metadata as a protected resource are (RFC 9728 5.1). */
  readonly resourceMetadata?: string;
};

/** More than all headers together have, in characters. */
const LONGEST = 32 * 1024;

/** What names are made of (RFC 9110 5.6.2), and values without quotes. */
const [token, plainValue, blanks] = [/[\w!#$%&'*+.^`|~-]+/y, /[^\s,"]+/y, /\s*/y];

/**
 * The parameters of a challenge: names, and values as tokens or in quotes (RFC 9110 11.2). It is read from its start to its
 * end, once, and what is no parameter is passed over.
 */
function* parametersIn(header: string): Generator<readonly [name: string, value: string], void, void> {
  const take = (expression: RegExp, at: number): string => {
    expression.lastIndex = at;
    return expression.exec(header)?.[0] ?? '';
  };
  let at = 0;
  while (at < header.length) {
    const name = take(token, at);
    at += Math.max(name.length, 1);
    if (name === '') continue;
    const equals = at + take(blanks, at).length;
    if (header[equals] !== '=') continue;
    at = equals + 1;
    at += take(blanks, at).length;
    if (header[at] === '"') {
      const end = endOfQuoted(header, at);
      if (end < 0) return;
      yield [name, header.slice(at + 1, end).replaceAll(/\\([\s\S])/g, '$1')];
      at = end + 1;
    } else {
      const value = take(plainValue, at);
      if (value !== '') yield [name, value];
      at += value.length;
    }
  }
}

/** Where a quoted text ends that begins at `start`; -1 where it does not. A backslash takes what follows as it is. */
const endOfQuoted = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return -1;
};

/** @param header the values of `WWW-Authenticate`, joined by commas */
export const challengeIn = (header: string | undefined): Challenge => {
  const found = new Map<string, string>();
  for (const [name, value] of parametersIn((header ?? '').slice(0, LONGEST))) {
    const text = cleanText(value);
    if (text !== '' && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), text);
  }
  const [error, description, scope] = [found.get('error'), found.get('error_description'), found.get('scope')];
  const resourceMetadata = found.get('resource_metadata');
  return {
    ...(error === undefined ? {} : {error}),
    ...(description === undefined ? {} : {description}),
    ...(scope === undefined ? {} : {scope}),
    ...(resourceMetadata === undefined ? {} : {resourceMetadata}),
  };
};

/** The scopes that a token has to have which was found good (RFC 6750 3.1); undefined where that is not what is wrong. */
export const demandedScopes = ({error, scope}: Challenge): readonly string[] | undefined =>
  error === 'insufficient_scope' ? scope?.split(/\s+/).filter(one => one !== '') : undefined;

/** The same as sentences behind others, each with a space before it; empty where the server says nothing. */
export const challengeText = ({description, scope}: Challenge): string =>
  [
    description === undefined ? '' : ` The server says: ${ended(description)}`,
    scope === undefined ? '' : ` It asks for the scope: ${ended(scope)}`,
  ].join('');

const ended = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);
