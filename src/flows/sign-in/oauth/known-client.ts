import {familyOf, SetupError} from '../../../errors/errors.ts';
import type {Run} from '../../reporting.ts';
import type {AuthorizationRequest} from './authorization-request.ts';
import {checkAuthorization} from './check-authorization.ts';
import {type OAuthClient, oauthClient} from './oauth-client.ts';

type Input = AuthorizationRequest & {readonly issuer: string};

/**
 * Whether an identity provider tells the clients that it has from others before a person is signed in. Where it answers a
 * client that nobody has registered as it answered the real one, that answer says nothing of the real one.
 *
 * @throws SetupError where it cannot be asked
 */
export const tellsClientsApart = async (input: Input, run: Run): Promise<boolean> => {
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
