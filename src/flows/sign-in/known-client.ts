import type {Finding} from '../../domain/finding.ts';
import {familyOf, SetupError} from '../../errors/errors.ts';
import type {Run} from '../flow.ts';
import {type AuthorizationRequest, checkAuthorization} from './authorization-request.ts';
import {type OAuthClient, oauthClient} from './oauth-client.ts';

type Input = AuthorizationRequest & {
  readonly issuer: string;
  readonly clientId: string;
  /** Whether the person goes on although PKCE is not listed. */
  readonly assumesPkce: boolean;
  /** True if somebody is signed in with this client, which shows that it exists. */
  readonly isUsed?: boolean;
};

/**
 * The facts that an authorization endpoint reveals about a client and its redirect URL before a person signs in: it
 * refuses them, with a status; it knows them; or nothing.
 */
export type ClientLook =
  | {readonly tells: 'refused'; readonly status: number}
  | {readonly tells: 'known'}
  | {readonly tells: 'nothing'};

/**
 * Sends an authorization request of a client, which no person completes, and returns what the answer reveals. An
 * endpoint that answers an unregistered client in the same way reveals nothing about the real one.
 *
 * @throws SetupError as `checkAuthorization` does, for a refusal with a reason or an endpoint that does not answer
 */
export const lookAtClient = async (
  client: OAuthClient,
  {isUsed = false, ...input}: Input,
  run: Run,
): Promise<ClientLook> => {
  const {refusedWith} = await checkAuthorization(client, input, run);
  if (refusedWith !== undefined) return {tells: 'refused', status: refusedWith};
  return {tells: isUsed || (await refusesNobody(input, run)) ? 'known' : 'nothing'};
};

/** The finding if the authorization endpoint reveals nothing about a client. @param remedy what registers the client */
export const unverifiableClient = (remedy: string): Finding => ({
  verdict: 'skipped',
  saw: 'not checked: the identity provider checks the client only after a person signs in',
  remedy: `If a sign-in ends on an error page: ${remedy}`,
});

/** Whether the identity provider refuses an unregistered client. @throws SetupError if it cannot be asked */
const refusesNobody = async (input: Omit<Input, 'isUsed'>, run: Run): Promise<boolean> => {
  const {clientId, client} = await clientOfNobody(input.issuer, run);
  try {
    const {refusedWith} = await checkAuthorization(client, {...input, clientId, assumesPkce: true}, run);
    return refusedWith !== undefined;
  } catch (error) {
    if (error instanceof SetupError && familyOf(error.code) === 'auth') return true;
    throw error;
  }
};

/** Returns a client with a random ID, which nobody has registered. */
export const clientOfNobody = async (
  issuer: string,
  run: Run,
): Promise<{readonly clientId: string; readonly client: OAuthClient}> => {
  const {randomState} = await import('openid-client');
  const clientId = `setup-check-${randomState().slice(0, 16)}`;
  return {clientId, client: await oauthClient({issuer, clientId, authentication: {method: 'none'}}, run)};
};
