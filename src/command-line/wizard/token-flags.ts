import {parseAddress} from '../../domain/address.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Settings} from '../../state/model.ts';
import type {FlagValues} from '../flags.ts';

/**
 * Returns the settings for token requests from flags: scopes, audience, resource, level of authentication.
 *
 * @throws SetupError `input-invalid` naming the flag
 */
export const asksIn = (flags: FlagValues): Pick<Settings, 'asks'> => {
  const {audience, resource} = flags;
  const scopes = flags.scopes?.split(/[\s,]+/).filter(scope => scope !== '');
  const foreign = scopes?.find(scope => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  if (foreign !== undefined) {
    throw new SetupError('input-invalid', '--scopes takes scopes with spaces between them (RFC 6749 3.3).', {
      about: {flag: 'scopes'},
    });
  }
  if (resource !== undefined && resource !== 'none' && (!URL.canParse(resource) || resource.includes('#'))) {
    throw new SetupError('input-invalid', '--resource takes an absolute URL without a fragment, or none.', {
      about: {flag: 'resource'},
    });
  }
  const acrValues = flags['acr-values']?.trim();
  if (acrValues !== undefined && !/^[\x21\x23-\x5b\x5d-\x7e]+(?: +[\x21\x23-\x5b\x5d-\x7e]+)*$/.test(acrValues)) {
    throw new SetupError('input-invalid', '--acr-values takes authentication levels with spaces between them.', {
      about: {flag: 'acr-values'},
    });
  }
  const age = flags['max-age']?.trim();
  if (age !== undefined && !/^\d{1,9}$/.test(age)) {
    throw new SetupError('input-invalid', '--max-age takes a number of seconds.', {about: {flag: 'max-age'}});
  }
  const asks = {
    ...(scopes === undefined ? {} : {scopes}),
    ...(audience === undefined ? {} : {audience}),
    ...(resource === undefined ? {} : {resource}),
    ...(acrValues === undefined ? {} : {acrValues}),
    ...(age === undefined ? {} : {maxAge: Number(age)}),
  };
  return Object.keys(asks).length > 0 ? {asks} : {};
};

/**
 * Returns the issuer. It is compared character by character, so a slash at its end stays.
 *
 * @throws SetupError `input-invalid`
 */
export const issuerIn = ({issuer}: FlagValues): string | undefined => {
  if (issuer === undefined) return undefined;
  const address = parseAddress(issuer, '--issuer');
  return issuer.trim().endsWith('/') ? `${address}/` : address;
};

/** The names of this machine (RFC 8252 7.3): some identity providers accept only one of them. */
const ownNames: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Returns the redirect URI: a port of this machine. @throws SetupError `input-invalid` */
export const redirectUriIn = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOwn = url !== undefined && ownNames.has(url.hostname);
  const hasPort = url !== undefined && Number(url.port) > 0;
  if (url?.protocol === 'http:' && isOwn && hasPort && url.search === '' && url.hash === '') return url.href;
  throw new SetupError(
    'input-invalid',
    '--redirect-uri takes an address such as http://127.0.0.1:55152/auth-callback.',
    {about: {flag: 'redirect-uri'}},
  );
};
