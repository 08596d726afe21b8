import type {Assistant} from '../assistants/assistant.ts';
import type {Place} from '../assistants/place.ts';
import type {Context} from '../domain/context.ts';
import {type Credentials, hasSecrets, pendingIn, pendingKey} from '../domain/credentials.ts';
import {isSamePath} from '../domain/paths.ts';
import {signInEndOf} from '../domain/sign-in-lifecycle.ts';
import {isUsedBy, signInsOf, tokensOfSignIn} from '../domain/tokens.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import type {Ports} from '../ports/ports.ts';
import {clearTokens} from './assistants/edit-entries.ts';
import {saveMovedEntries} from './assistants/moved-entries.ts';
import {leftAlone} from './assistants/ownership.ts';
import {forgetProxyPasswords} from './deployment/context-network.ts';
import {whileNobodyWrites} from './entries-lock.ts';
import type {Flow} from './flow.ts';
import {namedPage} from './foreign-address.ts';
import {clearOwnCli} from './own-cli/own-cli-file.ts';
import {oauthClient} from './sign-in/oauth-client.ts';
import {type Revocation, revoke} from './sign-in/revoke.ts';
import {stoppable} from './stoppable.ts';

/**
 * Forgets a code that a person was asked to type and has not typed: if somebody typed it after the sign-out, the person
 * would be signed in again.
 *
 * @param issuer limits this to one identity provider; any if absent
 * @returns whether there was one
 * @throws SetupError `local-write-failed`
 */
export const dropPending = async ({credentials}: Pick<Ports, 'credentials'>, issuer?: string): Promise<boolean> => {
  const pending = pendingIn(await credentials.get(pendingKey).catch(() => undefined));
  if (!pending || (issuer !== undefined && pending.issuer !== issuer)) return false;
  await credentials.replace(pendingKey, undefined);
  return true;
};

export type SignedOut = {
  /** `shared`: another context uses the same sign-in, which is kept for it. `unread`: it could not be read. */
  readonly revocation: Revocation | 'shared' | 'unread';
  /** The answer of the identity provider, if it refused to revoke. */
  readonly answered?: string;
  /** When the refresh token that was not revoked ends, in milliseconds since the epoch; absent if that is not known. */
  readonly goodUntil?: number;
  /**
   * When the access token that was not revoked ends, in milliseconds since the epoch; servers accept it until then
   * without asking the identity provider.
   */
  readonly accessUntil?: number;
  /** Other contexts of the same client, whose sign-ins the identity provider may have ended with this one. */
  readonly alsoEnded?: readonly string[];
  /** Set if a sign-in was begun with a code that has not been typed yet, which is forgotten too. */
  readonly droppedCode?: true;
  /** The files from which tokens were removed: those of assistants, and that of the platform's own CLI. */
  readonly cleared: readonly string[];
};

/**
 * What follows if a sign-out removes the secret of an MCP client, which itself stays at the identity provider. A clause.
 */
export const IF_ONLY_COPY = 'if you have no other copy, an administrator must set a new one';

/**
 * Returns the IDs of the clients whose secrets are stored although no context uses them: this program created them, and
 * the person then signed in another way. Empty if the secrets cannot be read.
 */
export const unusedClients = async (
  contexts: readonly Context[],
  {credentials}: Pick<Ports, 'credentials'>,
): Promise<readonly string[]> => {
  const stored = await credentials.withClientSecret().catch(() => []);
  return [...new Set(stored.filter(one => !isUsedBy(one, contexts)).map(({clientId}) => clientId))];
};

type Input = {
  readonly context: Context;
  readonly assistants: readonly Assistant[];
  readonly place: Place;
  /** The names of contexts that are signed out as well: a sign-in that only these share is not kept. */
  readonly leaving?: readonly string[];
  /** The files that the caller writes without the tokens afterwards. They are left as they are. */
  readonly rewritten?: readonly string[];
};

/**
 * Signs out of a context: revokes its tokens if the identity provider can (RFC 7009), and then removes every secret of
 * the sign-in, whatever the result. Addresses are kept. A sign-in that another context shares is kept for that context;
 * only the entries of this context lose their tokens. An account of the assistants is a sign-in of its own: it ends only
 * if the context acts as the assistants.
 *
 * @throws SetupError `local-*` if something could not be removed; the rest is still removed, and the sign-in revoked
 */
export const signOut: Flow<Input, SignedOut> = ({context, assistants, place, leaving = [], rewritten = []}, run) =>
  stoppable(run, async run => {
    const {ports} = run;
    const {tell} = run;
    const {contexts} = await ports.config.read();
    const others = contexts.filter(({name}) => name !== context.name && !leaving.includes(name));
    let account = context.clientId;
    let goodUntil: number | undefined;
    let accessUntil: number | undefined;
    let answered: string | undefined;
    const outcomes: SignedOut['revocation'][] = [];
    /** Why some of our secrets are still here. */
    const unwritten = new Set<string>();
    const noteUnwritten = (error: unknown) => {
      if (!(error instanceof SetupError) || error.code !== 'local-write-failed') throw error;
      unwritten.add(error.message);
    };
    // The sign-in itself comes last: it has the client secret that the revocation of the other token needs.
    for (const one of tokensOfSignIn(context).toReversed()) {
      // The sign-in of an earlier version may belong to several deployments.
      let isUnread = false;
      const stored = await ports.credentials.get(one).catch(error => {
        isUnread = error instanceof SetupError && error.code === 'local-credentials-invalid';
        return undefined;
      });
      if (isUsedBy(stored ?? one, others)) {
        outcomes.push('shared');
        continue;
      }
      let asked = false;
      // Under the lock, no process renews the sign-in: the tokens of a renewal would be removed without being revoked.
      const revokeAndRemove = async (stored: Credentials | undefined) => {
        asked = true;
        account = stored?.account ?? account;
        if (!stored && one.audience !== undefined) return undefined;
        if (!stored && isUnread) {
          outcomes.push('unread');
          return undefined;
        }
        const {outcome, said} = await revoke(one, stored, run);
        outcomes.push(outcome);
        answered ??= said;
        // No process renews it any more, so its end is not put off.
        const ends = outcome === 'revoked' ? undefined : signInEndOf({...stored, slides: false});
        if (ends !== undefined) goodUntil = Math.max(goodUntil ?? 0, ends);
        if (outcome !== 'revoked' && (stored?.expiresAt ?? 0) > ports.clock.now())
          accessUntil = Math.max(accessUntil ?? 0, stored?.expiresAt ?? 0);
        return undefined;
      };
      await ports.credentials.update(one, revokeAndRemove).catch(async error => {
        if (error instanceof SetupError && error.code === 'local-keychain-failed') {
          // Secrets that cannot be read can still be removed.
          outcomes.push('unread');
          await ports.credentials.replace(one, undefined);
          return;
        }
        noteUnwritten(error);
        // A sign-in that cannot be removed here still has to end at the identity provider. If only the write failed, it
        // has already ended there.
        if (!asked) await revokeAndRemove(stored);
      });
    }
    const isDropped = await dropPending(ports, context.issuer).catch(noteUnwritten);
    // Last, because the way to the identity provider leads through the proxy.
    const signedIn = await signedInAmong(contexts, context, ports);
    await forgetProxyPasswords(context, signedIn, ports.credentials).catch(noteUnwritten);
    await ports.credentials.purge().catch(noteUnwritten);
    const revocation = leastOf(outcomes);
    const alsoEnded = outcomes.includes('revoked') ? signedIn.filter(one => isBeside(one, context)) : [];
    tell({type: 'token-revoked', account, outcome: revocation});

    const {cleared, failed} = await clearFiles({context, assistants, place, rewritten}, run);
    if (unwritten.size > 0) throw stillHere({unwritten: [...unwritten], failed}, revocation, ports.credentials.path);
    if (failed.length > 0) {
      const message = `You are signed out, but this program could not remove every token. ${failed.join(' ')}`;
      throw new SetupError('local-file-invalid', message, {
        remedy: 'Remove it by hand, or wait until it expires.',
      });
    }
    return {
      revocation,
      cleared,
      ...(revocation === 'refused' && answered !== undefined ? {answered} : {}),
      ...(isDropped ? {droppedCode: true} : {}),
      ...(goodUntil === undefined ? {} : {goodUntil}),
      ...(accessUntil === undefined ? {} : {accessUntil}),
      ...(alsoEnded.length === 0 ? {} : {alsoEnded: alsoEnded.map(({name}) => name)}),
    };
  });

type Cleared = {
  readonly cleared: readonly string[];
  /** Why files still contain tokens, as sentences. */
  readonly failed: readonly string[];
};

/**
 * Removes the tokens of a context from the files of assistants and of the platform's own CLI. If the lock that keeps
 * other processes away cannot be made, as on a read-only disk, the tokens are removed nevertheless.
 */
const clearFiles: Flow<Input, Cleared> = async (input, run) => {
  const {entries = [], cli} = input.context;
  if (entries.length === 0 && !cli) return {cleared: [], failed: []};
  try {
    return await whileNobodyWrites(run, held => clearHeld(input, held));
  } catch (error) {
    if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
    if (error.code !== 'local-write-failed') return {cleared: [], failed: [error.message]};
    return await clearHeld(input, run);
  }
};

/** Never fails because of one file: the tokens in the other files have to be removed all the same. */
const clearHeld: Flow<Input, Cleared> = async ({context, assistants, place, rewritten = []}, {ports, tell}) => {
  const cleared: string[] = [];
  const failed: string[] = [];
  const noteFailure = (error: unknown) => {
    if (!(error instanceof SetupError)) throw error;
    failed.push(error.message);
    return undefined;
  };
  // The tokens have to go even if the new places cannot be stored.
  await saveMovedEntries(context.name, {assistants, place}, ports).catch(() => undefined);
  // Another process may have written entries since the context was read.
  const now = (await ports.config.read()).contexts.find(({name}) => name === context.name) ?? context;
  const isOfAssistants = context.actsAs === 'assistants';
  // Entries hold the token of the assistants' account, if there is one.
  const holding = isOfAssistants === (now.assistantsAccount !== undefined) ? (now.entries ?? []) : [];
  for (const entry of holding) {
    const assistant = assistants.find(({id}) => id === entry.assistant);
    if (!assistant || rewritten.some(path => isSamePath(path, entry.path))) continue;
    await ports.files.clean(entry.path);
    const edited = await clearTokens({...entry, assistant, context: now}, ports).catch((error: unknown) => {
      // If a file cannot be written, only an entry with a token leaves something behind.
      const isMissed =
        entry.method === 'header' || !(error instanceof SetupError) || error.code !== 'local-write-failed';
      return isMissed ? noteFailure(error) : undefined;
    });
    if (edited && edited.left.length > 0) tell({type: 'warning', message: `${leftAlone(entry.path, edited.left)}.`});
    if (!edited?.isChanged) continue;
    tell({type: 'file-written', path: entry.path, change: 'changed'});
    cleared.push(entry.path);
  }
  const cli = isOfAssistants ? undefined : now.cli;
  if (cli) await ports.files.clean(cli.path);
  if (cli && (await clearOwnCli(now, ports).catch(noteFailure))) {
    tell({type: 'file-written', path: cli.path, change: 'changed'});
    cleared.push(cli.path);
  }
  return {cleared, failed};
};

/** The error for secrets that could not be removed, with what that means. */
const stillHere = (
  {unwritten, failed}: {readonly unwritten: readonly string[]; readonly failed: readonly string[]},
  revocation: SignedOut['revocation'],
  path: string,
): SetupError => {
  const what =
    revocation === 'revoked'
      ? 'The identity provider has revoked the sign-in, but secrets of it are still on this machine.'
      : 'Secrets are still on this machine, and the sign-in was not revoked.';
  const byHand =
    failed.length === 0 ? 'delete the files named above' : `delete ${path} and the tokens in the assistants’ files`;
  return new SetupError('local-write-failed', `${what} ${[...unwritten, ...failed].join(' ')}`, {
    remedy: phrase`Allow writing there and run ${setup('logout')} again, or ${byHand}.`,
    about: {path},
  });
};

/**
 * Whether the identity provider may have ended this sign-in too: some end everything that a person has with one client
 * in the same browser session.
 */
const isBeside = (one: Context, {issuer, clientId, signIn}: Context): boolean =>
  signIn === 'browser' && one.signIn === 'browser' && one.issuer === issuer && one.clientId === clientId;

/** Returns the other contexts that somebody is signed in to. Credentials that cannot be read may be a sign-in. */
const signedInAmong = async (contexts: readonly Context[], {name}: Context, {credentials}: Ports) => {
  const others = contexts.filter(one => one.name !== name);
  const isIn = await Promise.all(
    others.map(async one => {
      const hadSecrets = await Promise.all(
        signInsOf(one).map(key => credentials.get(key).then(hasSecrets, () => true)),
      );
      return hadSecrets.includes(true);
    }),
  );
  return others.filter((_, index) => isIn[index]);
};

/** Returns, of several outcomes, the one that has ended the least. */
const leastOf = (outcomes: readonly SignedOut['revocation'][]): SignedOut['revocation'] =>
  (['shared', 'unread', 'failed', 'refused', 'not-offered', 'revoked'] as const).find(one => outcomes.includes(one)) ??
  'nothing';

type EndSessionInput = {readonly issuer: string; readonly clientId: string};

/**
 * Returns the page on which a browser ends its session at an identity provider, and with it every sign-in of that
 * session (OpenID Connect RP-Initiated Logout 1.0, 2). The page asks the person, because this program keeps no ID token
 * to prove who asks.
 *
 * @returns undefined if the identity provider offers no such page
 * @throws SetupError as `oauthClient` does
 */
export const endSession: Flow<EndSessionInput, string | undefined> = ({issuer, clientId}, run) =>
  stoppable(run, async run => {
    const client = await oauthClient({issuer, clientId, authentication: {method: 'none'}}, run);
    const {end_session_endpoint: endpoint} = client.configuration.serverMetadata();
    const url = namedPage(endpoint, new URL(issuer));
    if (!url) return undefined;
    url.searchParams.set('client_id', clientId);
    return url.href;
  });
