import type {Secret} from '../../../domain/secret.ts';
import type {ClientMethod, WantedToken} from '../../../domain/token-request.ts';
import type {Token} from '../../../domain/tokens.ts';
import {SetupError} from '../../../errors/errors.ts';
import type {Flow} from '../../flow.ts';
import {obtainToken} from '../obtain-token.ts';
import {type PersonSignIn, signInBy} from '../sign-in-person.ts';
import type {OwnResource} from './find-own-resource.ts';

/** What came of asking for it; `refused` where the identity provider does not issue tokens for this resource. */
export type OwnToken = Token | 'refused';

type Input = OwnResource & {
  readonly issuer: string;
  /** As whom the run has signed in. */
  readonly account: string;
  readonly by:
    | {
        readonly method: ClientMethod;
        readonly clientId: string;
        readonly secret?: Secret | undefined;
        readonly wanted?: WantedToken;
      }
    | PersonSignIn;
};

/**
 * Gets a token for a server that takes only those for its own resource. A client asks for it by its secret. A person
 * signs in once more: a refresh token is good for its own resource alone at some identity providers, and an
 * authorization request names one at a time there. Where they remember the person, nothing is typed.
 *
 * The control plane's takes the place of the token of the sign-in.
 *
 * @throws SetupError those of the sign-in, except that the resource is refused
 */
export const obtainOwnToken: Flow<Input, OwnToken> = async (input, run) => {
  const {server, resource, issuer, by, account} = input;
  const target = {
    issuer,
    wanted: {scopes: [], ...by.wanted, resource},
    ...(server === 'observability' ? {server} : {}),
  };
  try {
    if ('method' in by) return await obtainToken({...by, ...target}, run);
    run.tell({type: 'second-sign-in', resource});
    const {token} = await signInBy({...by, ...target}, run);
    if (token.account !== account) {
      const message = `You signed in to ${resource} as ${token.account}, but to the rest as ${account}.`;
      run.tell({type: 'warning', message});
    }
    return token;
  } catch (error) {
    if (!(error instanceof SetupError) || error.code !== 'auth-resource-refused') throw error;
    run.tell({type: 'warning', message: error.message});
    return 'refused';
  }
};
