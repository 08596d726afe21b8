import {SetupError} from '../errors.ts';
import type {Flow} from './flow.ts';
import {oauthClient} from './oauth-client.ts';
import {reporting} from './reporting.ts';
import {cleanText} from './text.ts';
import {keepToken, type TokenFacts} from './token-set.ts';

type Input = {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resource?: string;
};

/**
 * Signs a person in by a code that they type into a browser anywhere (RFC 8628), where the identity provider offers
 * that: for machines without a browser and without a way back to them. openid-client keeps the interval, `slow_down`
 * and the end of the code; tokens are in the vault when this returns.
 *
 * @throws SetupError `auth-device-missing`, `auth-declined`, `auth-sign-in-timeout`, those of the token endpoint
 */
export const deviceSignIn: Flow<Input, TokenFacts> = (input, ports, signal) =>
  reporting(signal, async (tell, signal) => {
    const {issuer, clientId, scopes, resource} = input;
    const client = await oauthClient({issuer, clientId, authentication: {method: 'none'}}, ports, signal, tell);
    const {library, configuration, attempt} = client;
    if (configuration.serverMetadata().device_authorization_endpoint === undefined) {
      throw new SetupError('auth-device-missing', `${issuer} offers no sign-in by a code.`);
    }
    const parameters = {scope: scopes.join(' '), ...(resource ? {resource} : {})};
    const device = await attempt(() => library.initiateDeviceAuthorization(configuration, parameters));
    tell({
      type: 'device-code',
      verificationUri: cleanText(device.verification_uri),
      userCode: cleanText(device.user_code),
      until: ports.clock.now() + device.expires_in * 1000,
    });
    const token = await attempt(() =>
      library.pollDeviceAuthorizationGrant(configuration, device, undefined, {signal}).catch(error => {
        throw translatePoll(error, issuer);
      }),
    );
    const facts = keepToken(token, {clientId, ports});
    tell({type: 'token-obtained', ...facts});
    return facts;
  });

/** How a person ends it, or does not: the codes of RFC 8628 3.5 that no poll goes on after. */
const translatePoll = (error: unknown, issuer: string): unknown => {
  const code = error instanceof Error && 'error' in error ? error.error : undefined;
  if (code === 'access_denied')
    return new SetupError('auth-declined', `The sign-in at ${issuer} was declined.`, {cause: error});
  if (code === 'expired_token')
    return new SetupError('auth-sign-in-timeout', `The code of ${issuer} has expired.`, {cause: error});
  return error;
};
