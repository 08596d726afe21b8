import type {IncomingMessage} from 'node:http';

/** The cookies of a request, the first of each name (RFC 6265 5.4). */
export const cookiesOf = (request: IncomingMessage): ReadonlyMap<string, string> => {
  const cookies = new Map<string, string>();
  for (const [name, value] of pairs(request)) if (!cookies.has(name)) cookies.set(name, value);
  return cookies;
};

/** Takes the cookies with these names off a request. */
export const withoutCookies = (request: IncomingMessage, names: readonly string[]) => {
  const rest = pairs(request).filter(([name]) => !names.includes(name));
  if (rest.length > 0) request.headers.cookie = rest.map(pair => pair.join('=')).join('; ');
  else delete request.headers.cookie;
};

const pairs = (request: IncomingMessage): (readonly [name: string, value: string])[] =>
  (request.headers.cookie ?? '')
    .split(';')
    .filter(text => text.indexOf('=') > 0)
    .map(text => {
      const at = text.indexOf('=');
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    });
