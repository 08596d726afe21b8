import {levelParameters, type SignInLevel} from '../../../domain/token-request.ts';
import {SetupError} from '../../../errors/errors.ts';
import type {Run} from '../../flow.ts';
import type {OAuthClient} from './oauth-client.ts';
import {type AskedToken, parametersOf} from './token-request.ts';

/** The grant type of a sign-in with a code (RFC 8628 3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

type Input = {
  readonly clientId: string;
  readonly asked: AskedToken;
  readonly claims?: string | undefined;
  readonly level?: SignInLevel | undefined;
};

/**
 * Whether this client can sign people in with a code. The metadata says what the identity provider can do; what the client
 * may do is found out by asking for a code, which nobody uses. What cannot be found out is not offered.
 */
export const offersDevice = async (client: OAuthClient, input: Input, run: Run): Promise<boolean> => {
  const {device_authorization_endpoint: endpoint, grant_types_supported: grants} =
    client.configuration.serverMetadata();
  if (endpoint === undefined || (grants !== undefined && !grants.includes(DEVICE_GRANT))) return false;
  try {
    await requestCode(client, input, client.library.randomPKCECodeVerifier());
    return true;
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof SetupError) return false;
    throw error;
  }
};

/**
 * Asks for a code (RFC 8628 3.1), with PKCE: some clients demand it there too, and others leave it aside.
 *
 * @throws SetupError as the identity provider refuses it
 */
export const requestCode = (client: OAuthClient, {asked, claims, level}: Input, verifier: string) =>
  client.attempt(
    async configuration =>
      client.library.initiateDeviceAuthorization(configuration, {
        ...parametersOf(asked),
        code_challenge: await client.library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(claims === undefined ? {} : {claims}),
        // No standard has these for a code, and providers take them all the same.
        ...levelParameters(level),
      }),
    {at: 'device', asked},
  );
