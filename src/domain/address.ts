import {SetupError} from '../errors/errors.ts';
import {withoutEnd} from '../text.ts';

/** An address without slashes at its end. */
export const withoutSlash = (address: string): string => withoutEnd(address, '/');

/** `path` below `base`, which may have a path of its own and end in a slash or not. */
export const addressOf = (base: string, path: string): URL => new URL(`${withoutSlash(base)}${path}`);

/**
 * A base URL as a person gives it, in the form in which the program has it: http or https, no query, no trailing slash.
 *
 * @param what how it is called, for the message
 * @throws SetupError `input-invalid`
 */
export const parseAddress = (text: string, what: string): string => {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '') {
    return withoutSlash(`${url.origin}${url.pathname}`);
  }
  const shown = url?.password
    ? 'That'
    : `“${text
        .trim()
        .replaceAll(/\p{Cc}/gu, ' ')
        .slice(0, 100)}”`;
  const bare = text.trim();
  if (bare.length <= 100 && /^[\w.-]+(?::\d{1,5})?(?:\/[\w./-]*)?$/.test(bare) && URL.canParse(`https://${bare}`)) {
    throw new SetupError(
      'input-invalid',
      `${shown} needs http:// or https:// in front: type https://${bare} or http://${bare}.`,
    );
  }
  throw new SetupError(
    'input-invalid',
    `${shown} is not an address. ${what} needs one such as https://api.acme.example.com.`,
  );
};
