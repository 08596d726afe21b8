import {SetupError} from '../../errors/errors.ts';
import {isSameButSlash} from '../../identity-providers/identity-provider.ts';
import type {GivenAddresses} from '../../platform/addresses.ts';

type Found = {
  /** Where the identity provider was found. */
  readonly url: string;
  /** The issuer that it names. */
  readonly issuer: string;
};

/**
 * Compares the identity provider that the person named with the one that the control plane trusts (RFC 9728 2). The
 * control plane refuses tokens of another one, and an attacker who makes a person name another one would get their
 * sign-in. A person who also names the exact issuer has decided.
 *
 * @param trusted the provider that the control plane trusts; undefined if it does not say
 * @param given the addresses that the person named
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
    remedy: {
      do: `Sign in at ${trusted}, unless its operators told you otherwise.`,
      flag: `To do so, leave out --auth-url. If ${issuer} is right anyway, pass --issuer ${issuer} as well.`,
    },
    about: {url: controlPlaneUrl, flag: 'auth-url', issuers: {trusted, given: issuer}},
  });
};
