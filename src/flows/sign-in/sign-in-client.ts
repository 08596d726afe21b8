import type {Secret} from '../../domain/secret.ts';
import type {ClientMethod} from '../../domain/token-request.ts';
import {type SaidRequest, scopesOfClient, type WantedToken, wantedWith} from '../../domain/token-request.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import {findCliClient} from '../deployment/find-cli-client.ts';
import type {Flow} from '../flow.ts';
import {requireOwnFiles} from '../own-files.ts';
import {stoppable} from '../stoppable.ts';
import {obtainToken} from './obtain-token.ts';
import type {SignedInPerson} from './sign-in-person.ts';

type Input = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly method: ClientMethod;
  readonly secret?: Secret | undefined;
  /** What the person has said that the token is to be for. */
  readonly said?: SaidRequest | undefined;
};

/**
 * Signs a client in by its secret, for what people sign in for: the resource that the control plane is, and the scopes
 * that are not about a person, unless somebody has said which. What the identity provider does not take of what nobody has said is left out then.
 *
 * @throws SetupError as `obtainToken`; `local-write-failed` where it could not be kept
 */
export const signInClient: Flow<Input, SignedInPerson> = async (input, run) => {
  const {ports} = run;
  await requireOwnFiles(ports);
  const {platform, controlPlaneUrl, said, ...client} = input;
  const {clientId} = input;
  const {scopes, resource} = await stoppable(run, run => findCliClient({platform, controlPlaneUrl, clientId}, run));
  const found = {scopes: scopesOfClient(scopes), ...(resource === undefined ? {} : {resource})};
  let wanted: WantedToken = wantedWith(said, found);
  for (;;) {
    try {
      const token = await obtainToken({...client, wanted}, run);
      const kept = wanted.resource === undefined ? {} : {resource: wanted.resource};
      return {client: {clientId, scopes: wanted.scopes, ...kept}, token};
    } catch (error) {
      const less = error instanceof SetupError ? lessThan(wanted, said, error) : undefined;
      if (!less) throw error;
      wanted = less;
    }
  }
};

/** What is asked for instead; undefined where all that is left is what the person has said. */
const lessThan = (
  wanted: WantedToken,
  said: SaidRequest | undefined,
  {code, about}: SetupError,
): WantedToken | undefined => {
  const isResourceOurs = said?.resource === undefined && said?.audience === undefined;
  if (about.isDialect && isResourceOurs && !wanted.isStandard) return {...wanted, isStandard: true};
  if (code === 'auth-resource-refused' && isResourceOurs && wanted.resource !== 'none') {
    return {...wanted, resource: 'none'};
  }
  const isScopeOurs = said?.scopes === undefined && wanted.scopes.length > 0;
  return code === 'auth-scope-refused' && isScopeOurs ? {...wanted, scopes: []} : undefined;
};
