import {type About, type ErrorCode, type Remedy, SetupError} from '../../errors/errors.ts';
import {parseJson} from '../../json.ts';
import type {HttpRequest, StreamRequest} from '../ports.ts';
import {type LinePiece, type Shell, shellLine} from '../processes/shell.ts';

/** Keys whose values are secrets, in a query, a form or JSON, with the shell variable that replaces each. */
const secretKeys: Readonly<Record<string, string>> = {
  client_secret: 'CLIENT_SECRET',
  password: 'PASSWORD',
  access_token: 'ACCESS_TOKEN',
  refresh_token: 'REFRESH_TOKEN',
  token: 'TOKEN',
  assertion: 'ADMIN_TOKEN',
  code: 'CODE',
  device_code: 'DEVICE_CODE',
  id_token: 'ID_TOKEN',
  id_token_hint: 'ID_TOKEN',
  client_assertion: 'CLIENT_ASSERTION',
  code_verifier: 'CODE_VERIFIER',
  state: 'STATE',
  nonce: 'NONCE',
};

/** Returns `url` for display: without user information, and with secret parameters replaced. */
export const showUrl = (url: URL): string => {
  if (url.username === '' && url.password === '' && url.search === '') return url.href;
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  for (const key of new Set(shown.searchParams.keys())) {
    const variable = secretKeys[key];
    if (variable) shown.searchParams.set(key, `$${variable}`);
  }
  return shown.href;
};

/** Returns the error for a failure at an address. Its message is the address, followed by `what`. */
export const failureAt = (url: URL, code: ErrorCode, what: string, more: {remedy?: Remedy; about?: About} = {}) =>
  new SetupError(code, `${showUrl(url)} ${what}`, {...more, about: {url: showUrl(url), ...more.about}});

export type ShownRequest = Omit<HttpRequest, 'body'> & Pick<StreamRequest, 'body'>;

/** Returns the `curl` line that makes the same call, with shell variables instead of secrets. */
export const asCurl = (
  {method, url, headers = {}, body, bearer = 'ACCESS_TOKEN', redirects}: ShownRequest,
  shell: Shell = 'posix',
): string => {
  const words: (readonly LinePiece[])[] = [];
  if (redirects === 'same-origin') words.push(['-L']);
  if (method !== 'GET') words.push(['-X'], [method]);
  words.push(piecesOf(showUrl(url).replaceAll(/%24([A-Z_]+)/g, `${MARK}$1${MARK}`)));
  for (const [name, value] of Object.entries(headers)) {
    const shown =
      name.toLowerCase() === 'authorization' ? showAuthorization(value, bearer) : [['-H'], [`${name}: ${value}`]];
    words.push(...shown);
  }
  if (body !== undefined) words.push(...showBody(String(body)));
  return shellLine('curl', words, shell);
};

const showAuthorization = (value: string, bearer: string): readonly (readonly LinePiece[])[] => {
  const [scheme = '', credentials = ''] = value.split(' ', 2);
  if (scheme.toLowerCase() !== 'basic') return [['-H'], [`Authorization: ${scheme} `, {variable: bearer}]];
  const [id = ''] = Buffer.from(credentials, 'base64').toString('utf8').split(':', 1);
  return [['-u'], [`${id}:`, {variable: 'CLIENT_SECRET'}]];
};

const showBody = (body: string): readonly (readonly LinePiece[])[] => {
  // Of all bodies, only JSON begins like this.
  if (body.startsWith('{')) return [['-d'], piecesOf(JSON.stringify(parseJson(body), replaceSecret))];
  const fields = [...new URLSearchParams(body)];
  return fields.flatMap(([key, value]) => [['-d'], piecesOf(`${key}=${replaceSecret(key, value)}`)]);
};

/** A mark that no person types. Two of them enclose the name of a shell variable. */
const MARK = '\u0000';

const replaceSecret = (key: string, value: unknown): unknown => {
  const variable = typeof value === 'string' ? secretKeys[key] : undefined;
  return variable ? `${MARK}${variable}${MARK}` : value;
};

const piecesOf = (text: string): readonly LinePiece[] => {
  // In a JSON body, JSON.stringify has escaped the mark.
  const pieces = text.replaceAll('\\u0000', MARK).split(MARK);
  return pieces.flatMap((piece, index) => (index % 2 === 1 ? {variable: piece} : piece === '' ? [] : piece));
};
