import type {Context} from '../../domain/context.ts';
import {type CodeTerms, type PendingCode, pendingIn, pendingKey} from '../../domain/credentials.ts';
import {learntOf, OFFLINE_ACCESS, type SaidRequest, type WantedToken, wantedWith} from '../../domain/token-request.ts';
import type {OwnTokenServer, Token} from '../../domain/tokens.ts';
import {orByFlag} from '../../errors/error-row.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Ports} from '../../ports/ports.ts';
import {SETUP} from '../../setup-command.ts';
import {cleanText, duration} from '../../text.ts';
import {type CliClient, findCliClient} from '../deployment/find-cli-client.ts';
import type {Flow, Run} from '../flow.ts';
import {requireOwnFiles} from '../own-files.ts';
import {stoppable} from '../stoppable.ts';
import {browserSignIn} from './browser-sign-in.ts';
import {deviceSignIn} from './device-sign-in.ts';
import {oauthClient} from './oauth-client.ts';
import type {SignedIn} from './signed-in.ts';

export type SignedInPerson = {readonly client: CliClient; readonly token: Token};

/** How a person signs in. */
type Way = {
  /** Through a browser on this machine, or by a code that is typed into one anywhere. */
  readonly by: 'browser' | 'paste' | 'device';
  readonly redirectUri: string;
  /** Whether to open a browser, or only to show the address. */
  readonly open: boolean;
  /** Whether the person goes on although the identity provider does not list PKCE. */
  readonly assumesPkce?: boolean;
  /** Whether nobody would see an address that is shown here: a browser opens, or the sign-in fails at once. */
  readonly isUnseen?: boolean;
  /** Whether it ends for another sign-in of this person that needs its port. */
  readonly makesRoom?: boolean;
};

/** The same, by which client and for what. */
export type PersonSignIn = Way & {readonly clientId: string; readonly wanted: WantedToken};

type Input = Way & {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  readonly issuer: string;
  readonly clientId?: string;
  /** What the person has said that the token is to be for. */
  readonly said?: SaidRequest | undefined;
  /** The saved deployment that the person signs in to again: what the last sign-in has taught is known then. */
  readonly again?: Context | undefined;
  /** How a sign-in by a code is gone on with in another run. */
  readonly code?: CodeTerms | undefined;
};

/**
 * Signs a person in with the CLI's own public client, which the control plane tells (platform access 5.4). The token is
 * asked for the resource that the control plane is (RFC 8707). What the identity provider does not take of what nobody
 * has said is left out then; a refresh token that does not come by itself is asked for, and where that comes to nothing the
 * sign-in before it counts.
 *
 * Who signs in again is asked for no more scopes than the last time: a control plane that somebody else runs by now could
 * name any. The others are told, and asked for once the person has named them.
 *
 * @throws SetupError those of the sign-in; `local-write-failed` where it could not be kept
 */
export const signInPerson: Flow<Input, SignedInPerson> = async (input, run) => {
  const {ports} = run;
  const {issuer, by, open, redirectUri, assumesPkce = false, isUnseen = false, makesRoom = false} = input;
  const {said, again, code} = input;
  await requireOwnFiles(ports);
  const {clientId, isAssumed, ...told} = await stoppable(run, async run => {
    const {tell} = run;
    const client = await findCliClient(input, run);
    if (client.isAssumed) await requireBundled(issuer, client, run);
    tell({type: 'cli-client-found', clientId: client.clientId, scopes: client.scopes});
    return client;
  });
  const added = said?.scopes === undefined && again ? addedScopes(told.scopes, again) : [];
  const found = added.length === 0 ? told : {...told, scopes: withoutAdded(told.scopes, again?.scopes ?? [])};
  if (added.length > 0) run.tell({type: 'warning', message: widerRequest(input.controlPlaneUrl, added, told.scopes)});
  const learnt = again ? learntOf(again) : {};
  const kept = again ? await ports.credentials.get(again).catch(() => undefined) : undefined;
  const claims = kept?.refused?.claims;
  let wanted: WantedToken = {
    ...withOffline(wantedWith(said, found), learnt.needsOffline === true),
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
    // Another attempt asks for another code.
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

/** That the sign-in counts which worked before the one for a refresh token did not, and for how long. */
const staying = ({expiresAt}: Token, now: number): string =>
  expiresAt === undefined
    ? 'You stay signed in until your token expires.'
    : `You stay signed in for ${duration(expiresAt - now)}.`;

/**
 * The scopes that the control plane names now and that the last sign-in did not ask for. That for a refresh token is none
 * of them: this program asks for it by itself where it has to.
 */
const addedScopes = (named: readonly string[], {scopes = []}: Pick<Context, 'scopes'>): readonly string[] =>
  // Where the identity provider decided the last time, there is nothing to compare with.
  scopes.length === 0 ? [] : named.filter(scope => scope !== OFFLINE_ACCESS && !scopes.includes(scope));

/** What is asked for instead: what both have, or where that is nothing what the last sign-in asked for. */
const withoutAdded = (named: readonly string[], before: readonly string[]): readonly string[] => {
  const both = named.filter(scope => scope === OFFLINE_ACCESS || before.includes(scope));
  return both.some(scope => before.includes(scope)) ? both : before;
};

const widerRequest = (controlPlaneUrl: string, added: readonly string[], all: readonly string[]): string => {
  const [more, whole] = [added, all].map(scopes => cleanText(scopes.join(' ')));
  return `${new URL(controlPlaneUrl).host} asks for more than at your last sign-in: ${more}. You are signed in as before. If you want to allow it, sign in with --scopes "${whole}".`;
};

/** @throws SetupError `input-required` where another identity provider than the bundled one has to know the client */
const requireBundled = async (issuer: string, {clientId}: CliClient, run: Run) => {
  const {provider} = await oauthClient({issuer, clientId, authentication: {method: 'none'}}, run);
  if (provider.isBundled) return;
  throw new SetupError('input-required', 'The control plane names no client for people to sign in with.', {
    about: {url: issuer, flag: 'client-id'},
    remedy: orByFlag(
      `Enter the client ID that ${issuer} has for it.`,
      `Pass it with --client-id. ${SETUP} provider guide shows how to register one.`,
    ),
  });
};

const withOffline = (wanted: WantedToken, isWanted: boolean): WantedToken =>
  isWanted && !wanted.scopes.includes(OFFLINE_ACCESS)
    ? {...wanted, scopes: [...wanted.scopes, OFFLINE_ACCESS]}
    : wanted;

/** What is asked for instead where an identity provider has refused what nobody has said; undefined where nothing is left. */
const lessThan = (
  wanted: WantedToken,
  {code, about}: SetupError,
): {readonly wanted: WantedToken; readonly message: string} | undefined => {
  const isNamed = wanted.resource !== undefined && wanted.resource !== 'none' && !wanted.isResourceSaid;
  if (about.isDialect && isNamed && wanted.audience === undefined && !wanted.isStandard) {
    const message = 'Asking for it as the standard has it (RFC 8707).';
    return {wanted: {...wanted, isStandard: true}, message};
  }
  if (code === 'auth-resource-refused' && isNamed && wanted.audience === undefined) {
    const message = 'Signing in without it: the token is not bound to the control plane.';
    return {wanted: {...wanted, resource: 'none'}, message};
  }
  if (about.isOfflineRefused && !wanted.isWithoutOffline) {
    const message = 'Signing in without a refresh token, so you will have to sign in again when the token expires.';
    return {wanted: {...wanted, isWithoutOffline: true}, message};
  }
  return undefined;
};

/** The code that an earlier run has asked for. @throws SetupError `auth-sign-in-required` where there is none of this client */
const codeOf = async ({issuer, clientId}: Pick<PendingCode, 'issuer' | 'clientId'>, {credentials}: Ports) => {
  const kept = pendingIn(await credentials.get(pendingKey));
  if (kept?.issuer === issuer && kept.clientId === clientId) return kept;
  const which = kept
    ? `The sign-in that was begun is one at ${kept.issuer} as ${kept.clientId}, not at ${issuer} as ${clientId}`
    : 'No sign-in was begun that could be finished';
  throw new SetupError('auth-sign-in-required', `${which}.`, {remedy: `Begin one: ${SETUP} login --no-wait.`});
};

type Request = PersonSignIn & {
  readonly issuer: string;
  readonly code?: CodeTerms;
  readonly begun?: PendingCode | undefined;
  readonly server?: OwnTokenServer;
};

/** One sign-in of a person, in the way that they have chosen. */
export const signInBy: Flow<Request, SignedIn> = ({by, ...request}, run) =>
  by === 'device' ? deviceSignIn(request, run) : browserSignIn({...request, listen: by === 'browser'}, run);
