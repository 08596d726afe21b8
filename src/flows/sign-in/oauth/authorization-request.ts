import type {OAuthClient} from './oauth-client.ts';

/** What one authorization request has to recognise its own answer by. Fresh for each; in memory only. */
export type Attempt = {readonly state: string; readonly nonce: string; readonly verifier: string};

type Input = {readonly scopes: readonly string[]; readonly resource?: string; readonly redirectUri: string};

/** An authorization request with PKCE S256 (RFC 7636), as the address that asks it. */
export const newAttempt = async (
  {library, configuration}: OAuthClient,
  input: Input,
): Promise<Attempt & {url: URL}> => {
  const {scopes, resource, redirectUri} = input;
  const [state, nonce, verifier] = [library.randomState(), library.randomNonce(), library.randomPKCECodeVerifier()];
  const url = library.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    // It comes back in an ID token only, and without that scope there is none.
    ...(scopes.includes('openid') ? {nonce} : {}),
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(resource === undefined ? {} : {resource}),
  });
  return {state, nonce, verifier, url};
};
