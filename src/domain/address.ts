import {SetupError} from '../errors/errors.ts';
import {refuseUserInfo} from '../errors/user-info.ts';
import {withoutEnd} from '../text.ts';

/** Returns an address without trailing slashes. */
export const withoutSlash = (address: string): string => withoutEnd(address, '/');

/** Returns the URL of `path` below `base`. `base` may have a path of its own, with or without a trailing slash. */
export const addressOf = (base: string, path: string): URL => new URL(`${withoutSlash(base)}${path}`);

/**
 * Parses a base URL that a person has typed, and returns it in the program's form: http or https, without query and
 * trailing slash.
 *
 * @param what the name of the address, for the message
 * @throws SetupError `input-invalid`
 */
export const parseAddress = (text: string, what: string): string => {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url) refuseUserInfo(url);
  if (url && ['http:', 'https:'].includes(url.protocol)) return withoutSlash(`${url.origin}${url.pathname}`);
  const shown = `“${text
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
