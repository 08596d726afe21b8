import {orByFlag} from '../../errors/error-row.ts';
import {SetupError} from '../../errors/errors.ts';
import {isSameButSlash} from '../../identity-providers/identity-provider.ts';
import type {GivenAddresses} from '../../platform/addresses.ts';

type Found = {
  /** Where the identity provider was found. */
  readonly url: string;
  /** What it calls itself. */
  readonly issuer: string;
};

/**
 * Compares the identity provider that the person named with the one that the control plane trusts (RFC 9728 2). Tokens of
 * another are refused there, and whoever had a person name another would get their sign-in. Who names the issuer as well,
 * to the letter, has decided.
 *
 * @param trusted by the control plane; undefined where it does not say
 * @param given what the person named
 * @throws SetupError `auth-issuer-mismatch`
 */
export const checkTrusted = (
  controlPlaneUrl: string,
  trusted: string | undefined,
  {url, issuer}: Found,
  given: GivenAddresses,
): void => {
  const isDecided = given.authUrl === undefined || given.issuer !== undefined;
  if (isDecided || trusted === undefined || isSameButSlash(trusted, url) || isSameButSlash(trusted, issuer)) return;
  throw new SetupError('auth-issuer-mismatch', `${controlPlaneUrl} trusts ${trusted}, not ${issuer}.`, {
    remedy: orByFlag(
      `Sign in at ${trusted}, unless its operators told you otherwise.`,
      `To do so, leave out --auth-url. If ${issuer} is right anyway, pass --issuer ${issuer} as well.`,
    ),
    about: {url: controlPlaneUrl, flag: 'auth-url', issuers: {trusted, given: issuer}},
  });
};
