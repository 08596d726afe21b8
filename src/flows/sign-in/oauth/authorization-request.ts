import {levelParameters, type SignInLevel} from '../../../domain/token-request.ts';
import type {OAuthClient} from './oauth-client.ts';
import {type AskedToken, needsConsent, parametersOf} from './token-request.ts';

/** What one authorization request has to recognise its own answer by. Fresh for each; in memory only. */
export type Attempt = {readonly state: string; readonly nonce: string; readonly verifier: string};

/** What a person is asked to agree to, and where the answer goes. */
export type AuthorizationRequest = {
  readonly asked: AskedToken;
  readonly redirectUri: string;
  /** What the identity provider wants proven this time (OpenID Connect Core 5.5), as it said. */
  readonly claims?: string | undefined;
  /** How the person is to sign in. */
  readonly level?: SignInLevel | undefined;
  /** Whether the request is pushed to the identity provider beforehand (RFC 9126), as its client demands. */
  readonly isPushed?: boolean;
};

/**
 * An authorization request with PKCE S256 (RFC 7636), as the address that asks it. It is pushed beforehand where the
 * metadata demands that, or the client.
 *
 * @throws SetupError where it is pushed, as the endpoint refuses it
 */
export const newAttempt = async (client: OAuthClient, request: AuthorizationRequest): Promise<Attempt & {url: URL}> => {
  const {library, configuration, provider} = client;
  const {asked, redirectUri, claims, level, isPushed = false} = request;
  const [state, nonce, verifier] = [library.randomState(), library.randomNonce(), library.randomPKCECodeVerifier()];
  const parameters = {
    redirect_uri: redirectUri,
    ...parametersOf(asked),
    state,
    // It comes back in an ID token only, and without that scope there is none.
    ...(asked.scopes.includes('openid') ? {nonce} : {}),
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(needsConsent(asked, provider) ? {prompt: 'consent'} : {}),
    ...(claims === undefined ? {} : {claims}),
    ...levelParameters(level),
  };
  const metadata = configuration.serverMetadata();
  if (!isPushed && metadata.require_pushed_authorization_requests !== true) {
    return {state, nonce, verifier, url: library.buildAuthorizationUrl(configuration, parameters)};
  }
  const push = () => library.buildAuthorizationUrlWithPAR(configuration, parameters);
  const url = await client.attempt(push, {at: 'authorization', asked, redirectUri});
  return {state, nonce, verifier, url};
};
