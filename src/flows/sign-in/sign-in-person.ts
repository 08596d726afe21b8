import type {Context} from '../../domain/context.ts';
import {type CodeTerms, type PendingCode, pendingIn, pendingKey} from '../../domain/credentials.ts';
import {learntOf, OFFLINE_ACCESS, type SaidRequest, type WantedToken, wantedWith} from '../../domain/token-request.ts';
import type {OwnTokenServer, Token} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup, signIn} from '../../errors/remedy.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Ports} from '../../ports/ports.ts';
import {cleanText, duration} from '../../text.ts';
import {type CliClient, findCliClient} from '../deployment/cli-client.ts';
import type {Flow, Run} from '../flow.ts';
import {requireOwnFiles} from '../require-own-files.ts';
import {stoppable} from '../stoppable.ts';
import {browserSignIn} from './browser-sign-in.ts';
import {deviceSignIn} from './device-sign-in.ts';
import {oauthClient} from './oauth-client.ts';
import type {SignedIn} from './signed-in.ts';

export type SignedInPerson = {readonly client: CliClient; readonly token: Token};

/** How a person signs in. */
type Way = {
  /**
   * `browser`: through a browser on this machine; `paste`: the same, with the answer pasted; `device`: by a code that
   * the person types into any browser.
   */
  readonly by: 'browser' | 'paste' | 'device';
  readonly redirectUri: string;
  /** Whether to open a browser, or only to show the address. */
  readonly open: boolean;
  /** Whether the person goes on although the identity provider does not list PKCE. */
  readonly assumesPkce?: boolean;
  /** True if no person would see a printed address: a browser opens, or the sign-in fails at once. */
  readonly isUnseen?: boolean;
  /** True if this sign-in ends when another sign-in of the same person needs its port. */
  readonly makesRoom?: boolean;
};

/** How a person signs in, with which client and for what. */
export type PersonSignIn = Way & {readonly clientId: string; readonly wanted: WantedToken};

type Input = Way & {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  readonly issuer: string;
  readonly clientId?: string;
  /** The person's wishes for the token. */
  readonly requested?: SaidRequest | undefined;
  /** The saved deployment that the person signs in to again: the new sign-in uses what the last one has shown. */
  readonly again?: Context | undefined;
  /** Set if a sign-in by a code is begun in one run and finished in another. */
  readonly code?: CodeTerms | undefined;
};

/**
 * Signs a person in with a public client: the one that the person named, or else the CLI's own one, which the control
 * plane names (platform access 5.4). Requests the token for the control plane's resource (RFC 8707). If the identity
 * provider refuses something that the person did not name, signs in without it. If no refresh token comes by itself,
 * requests one in a second sign-in; if that fails, the result is the first sign-in.
 *
 * A person who signs in again is asked for no more scopes than the last time: the control plane may have a new operator
 * by now, and could name any scope. A warning names the other scopes, which are requested once the person has named
 * them.
 *
 * @throws SetupError the errors of the sign-in; `local-write-failed`, before the sign-in, if it could not be stored
 */
export const signInPerson: Flow<Input, SignedInPerson> = async (input, run) => {
  const {ports} = run;
  const {issuer, by, open, redirectUri, assumesPkce = false, isUnseen = false, makesRoom = false} = input;
  const {requested, again, code} = input;
  await requireOwnFiles(ports);
  const {clientId, isAssumed, ...terms} = await stoppable(run, async run => {
    const {tell} = run;
    const client = await findCliClient(input, run);
    if (client.isAssumed) await requireBundled(issuer, client, run);
    tell({type: 'cli-client-found', clientId: client.clientId, scopes: client.scopes});
    return client;
  });
  const added = requested?.scopes === undefined && again ? addedScopes(terms.scopes, again) : [];
  const found = added.length === 0 ? terms : {...terms, scopes: withoutAdded(terms.scopes, again?.scopes ?? [])};
  if (added.length > 0) run.tell({type: 'warning', message: widerRequest(input.controlPlaneUrl, added, terms.scopes)});
  const learnt = again ? learntOf(again) : {};
  const stored = again ? await ports.credentials.get(again).catch(() => undefined) : undefined;
  const claims = stored?.refused?.claims;
  let wanted: WantedToken = {
    ...withOffline(wantedWith(requested, found), learnt.needsOffline === true),
    ...(claims === undefined ? {} : {claims}),
  };
  if (learnt.withoutResource && !wanted.isResourceSaid) wanted = {...wanted, resource: 'none'};
  let begun = code?.resumes ? await codeOf({issuer, clientId}, ports) : undefined;
  if (begun) wanted = begun.wanted;
  const clientFor = ({scopes, resource}: WantedToken): CliClient => ({
    clientId,
    scopes,
    ...(resource === undefined ? {} : {resource}),
  });
  let first: SignedInPerson | undefined;
  for (;;) {
    const request = {
      ...{issuer, clientId, by, open, redirectUri, assumesPkce, isUnseen, makesRoom, wanted, begun},
      ...(code ? {code} : {}),
    };
    // Another attempt needs another code.
    begun = undefined;
    try {
      const {token, mayAskOffline} = await signInBy(request, run);
      const signedIn = {client: clientFor(wanted), token};
      if (!mayAskOffline) return signedIn;
      first = signedIn;
      const message = `${issuer} issued no refresh token. Sign in once more and allow offline access, so that this sign-in can be renewed.`;
      run.tell({type: 'warning', message});
      wanted = withOffline(wanted, true);
    } catch (error) {
      if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
      if (first) {
        run.tell({type: 'warning', message: `${error.message} ${staying(first.token, ports.clock.now())}`});
        return first;
      }
      const less = lessThan(wanted, error);
      if (!less) throw error;
      run.tell({type: 'warning', message: `${error.message} ${less.message}`});
      wanted = less.wanted;
    }
  }
};

/** Says how long the first sign-in lasts if the second one, which requests a refresh token, has failed. */
const staying = ({expiresAt}: Token, now: number): string =>
  expiresAt === undefined
    ? 'You stay signed in until your token expires.'
    : `You stay signed in for ${duration(expiresAt - now)}.`;

/**
 * Returns the scopes that the control plane names now and that the last sign-in did not request. The scope for a
 * refresh token is left out: this program requests it by itself if it has to.
 */
const addedScopes = (named: readonly string[], {scopes = []}: Pick<Context, 'scopes'>): readonly string[] =>
  // If the identity provider chose the scopes the last time, there is nothing to compare.
  scopes.length === 0 ? [] : named.filter(scope => scope !== OFFLINE_ACCESS && !scopes.includes(scope));

/**
 * Returns the scopes to request instead: of the scopes that the control plane names now, those that the last sign-in
 * requested and the one for a refresh token. If the last sign-in requested none of them, returns all of its scopes.
 */
const withoutAdded = (named: readonly string[], before: readonly string[]): readonly string[] => {
  const both = named.filter(scope => scope === OFFLINE_ACCESS || before.includes(scope));
  return both.some(scope => before.includes(scope)) ? both : before;
};

const widerRequest = (controlPlaneUrl: string, added: readonly string[], all: readonly string[]): string => {
  const [more, whole] = [added, all].map(scopes => cleanText(scopes.join(' ')));
  return `${new URL(controlPlaneUrl).host} asks for more than at your last sign-in: ${more}. You are signed in as before. If you want to allow it, sign in with --scopes "${whole}".`;
};

/**
 * Requires the bundled identity provider for an assumed client ID.
 *
 * @throws SetupError `input-required` if it is another one
 */
const requireBundled = async (issuer: string, {clientId}: CliClient, run: Run) => {
  const {provider} = await oauthClient({issuer, clientId, authentication: {method: 'none'}}, run);
  if (provider.isBundled) return;
  throw new SetupError('input-required', 'The control plane names no client for people to sign in with.', {
    about: {url: issuer, flag: 'client-id'},
    remedy: {
      do: `Enter the ID of the client that people use at ${issuer}.`,
      flag: phrase`Pass it with --client-id. ${setup('provider guide')} shows how to register one.`,
    },
  });
};

const withOffline = (wanted: WantedToken, isWanted: boolean): WantedToken =>
  isWanted && !wanted.scopes.includes(OFFLINE_ACCESS)
    ? {...wanted, scopes: [...wanted.scopes, OFFLINE_ACCESS]}
    : wanted;

/**
 * The request to make instead after the identity provider refused something that the person did not name; undefined if
 * nothing is left.
 */
const lessThan = (
  wanted: WantedToken,
  {code, about}: SetupError,
): {readonly wanted: WantedToken; readonly message: string} | undefined => {
  const isNamed = wanted.resource !== undefined && wanted.resource !== 'none' && !wanted.isResourceSaid;
  if (about.isDialect && isNamed && wanted.audience === undefined && !wanted.isStandard) {
    const message = 'Requesting the token again in the standard form (RFC 8707).';
    return {wanted: {...wanted, isStandard: true}, message};
  }
  if (code === 'auth-resource-refused' && isNamed && wanted.audience === undefined) {
    const message = 'Signing in without this resource: the token is not bound to the control plane.';
    return {wanted: {...wanted, resource: 'none'}, message};
  }
  if (about.isOfflineRefused && !wanted.isWithoutOffline) {
    const message = 'Signing in without a refresh token, so you will have to sign in again when the token expires.';
    return {wanted: {...wanted, isWithoutOffline: true}, message};
  }
  return undefined;
};

/**
 * Returns the code that an earlier run requested.
 *
 * @throws SetupError `auth-sign-in-required` if this client has none
 */
const codeOf = async ({issuer, clientId}: Pick<PendingCode, 'issuer' | 'clientId'>, {credentials}: Ports) => {
  const pending = pendingIn(await credentials.get(pendingKey));
  if (pending?.issuer === issuer && pending.clientId === clientId) return pending;
  const which = pending
    ? `The pending sign-in is at ${pending.issuer} as ${pending.clientId}, not at ${issuer} as ${clientId}`
    : 'There is no pending sign-in to finish';
  throw new SetupError('auth-sign-in-required', `${which}.`, {
    remedy: phrase`Begin one: ${signIn('--no-wait')}.`,
  });
};

type Request = PersonSignIn & {
  readonly issuer: string;
  readonly code?: CodeTerms;
  readonly begun?: PendingCode | undefined;
  readonly server?: OwnTokenServer;
};

/** Signs a person in once, in the way that they have chosen. */
export const signInBy: Flow<Request, SignedIn> = ({by, ...request}, run) =>
  by === 'device' ? deviceSignIn(request, run) : browserSignIn({...request, listen: by === 'browser'}, run);
