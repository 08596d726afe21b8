import type {Context} from '../../domain/context.ts';
import {requestToKeep, wantedOf} from '../../domain/token-request.ts';
import type {OwnTokens} from '../../domain/tokens.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Flow} from '../flow.ts';
import {saveSignIn} from './save-sign-in.ts';
import {obtainOwnToken} from './server-token.ts';
import {signInPerson} from './sign-in-person.ts';

/**
 * Signs the person of a context in again, including for a server that accepts only tokens of its own.
 *
 * @returns the person's account
 * @throws SetupError as `signInPerson` and `saveSignIn` do
 */
export const signInAgain: Flow<Context, string> = async (context, run) => {
  const {issuer, controlPlaneUrl, clientId, resource, resources} = context;
  const platform = platformOfDeployment(context);
  const redirectUri = context.redirectUri ?? platform.callbackUrl;
  const assumesPkce = context.assumesPkce === true;
  const way = {by: 'browser', open: false, redirectUri, assumesPkce, makesRoom: true} as const;
  const input = {...way, platform, controlPlaneUrl, issuer, clientId, requested: context.asks, again: context};
  const {client, token: first} = await signInPerson(input, run);
  const by = {...way, clientId: client.clientId, wanted: wantedOf({...context, ...client})};
  let token = first;
  const tokens: {-readonly [S in keyof OwnTokens]: OwnTokens[S]} = {};
  // The control plane's resource is known from the last sign-in if the platform does not name it.
  if (resource !== undefined && client.resource === undefined) {
    const own = {server: 'control-plane', resource, issuer, by, account: first.account} as const;
    const found = await obtainOwnToken(own, run);
    if (found !== 'refused') token = found;
  }
  if (resources?.observability !== undefined) {
    const own = {
      server: 'observability',
      resource: resources.observability,
      issuer,
      by,
      account: token.account,
    } as const;
    const found = await obtainOwnToken(own, run);
    if (found !== 'refused') tokens.observability = found;
  }
  const {asks: requested, ...rest} = context;
  const asks = requestToKeep(requested);
  const signedIn: Context = {
    ...rest,
    ...(asks ? {asks} : {}),
    clientId: client.clientId,
    scopes: client.scopes,
    ...(client.resource === undefined ? {} : {resource: client.resource}),
  };
  await saveSignIn({context: signedIn, token, ownTokens: tokens}, run);
  return token.account;
};
