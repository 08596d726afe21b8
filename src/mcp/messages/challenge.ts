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

/** A parameter: a name, and a value as a token or in quotes (RFC 9110 11.2). */
const parameter = /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;

/** @param header the values of `WWW-Authenticate`, joined by commas */
export const challengeIn = (header: string | undefined): Challenge => {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of (header ?? '').matchAll(parameter)) {
    const text = cleanText(quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1'));
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
