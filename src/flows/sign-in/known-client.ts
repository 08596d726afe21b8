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
  /** Whether somebody is signed in by this client, and so has seen that it is there. */
  readonly isUsed?: boolean;
};

/**
 * What an authorization endpoint tells of a client and its redirect URL before a person is signed in: that it refuses
 * them, with which status; that it knows them; or nothing.
 */
export type ClientLook =
  | {readonly tells: 'refused'; readonly status: number}
  | {readonly tells: 'known'}
  | {readonly tells: 'nothing'};

/**
 * Asks an authorization endpoint for a sign-in of a client that nobody goes on with. Whoever answers a client that nobody
 * has registered in the same way as the real one has told nothing of the real one.
 *
 * @throws SetupError as `checkAuthorization`, for a refusal that says why; where it cannot be asked
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

/** What is told of a client that an authorization endpoint tells nothing of. @param remedy what registers the client */
export const untoldClient = (remedy: string): Finding => ({
  verdict: 'skipped',
  saw: 'not checked: the identity provider checks the client only after a person signs in',
  remedy: `If a sign-in ends on an error page: ${remedy}`,
});

/** Whether a client that nobody has registered is refused. @throws SetupError where that cannot be asked */
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

/** A client that nobody has registered. */
export const clientOfNobody = async (
  issuer: string,
  run: Run,
): Promise<{readonly clientId: string; readonly client: OAuthClient}> => {
  const {randomState} = await import('openid-client');
  const clientId = `setup-check-${randomState().slice(0, 16)}`;
  return {clientId, client: await oauthClient({issuer, clientId, authentication: {method: 'none'}}, run)};
};
