import {type Context, type ContextEntry, sameContextIn} from '../../domain/context.ts';
import {type Credentials, keyOf, nameOfKey} from '../../domain/credentials.ts';
import {fingerprintOf} from '../../domain/fingerprint.ts';
import type {Secret} from '../../domain/secret.ts';
import {
  contextFor,
  isUsedBy,
  type OwnTokens,
  type Token,
  type TokenContext,
  tokensOfSignIn,
} from '../../domain/tokens.ts';
import type {Ports} from '../../ports/ports.ts';
import {keepProxyPasswords} from '../deployment/context-network.ts';
import type {Flow} from '../flow.ts';

export type SignInToKeep = {
  readonly context: Context;
  readonly token: Token;
  /** The secret of a client that has one. */
  readonly clientSecret?: Secret | undefined;
  /** The tokens of the servers that have tokens of their own. */
  readonly ownTokens?: OwnTokens;
  /** Whether the sign-in itself is already stored: another process may have renewed it since. */
  readonly isKept?: boolean;
};

/**
 * Stores a sign-in as soon as it exists. Revokes the one that it replaces, if `revokeFormer` does so at this identity
 * provider.
 *
 * @throws SetupError as `storeSignIn` does
 */
export const saveSignIn: Flow<SignInToKeep, void> = async (input, run) => {
  const {ports, tell} = run;
  const {context} = input;
  const before = sameContextIn(await ports.config.read(), context);
  const wereApart = before?.resources === undefined ? [] : tokensOfSignIn({...context, resources: before.resources});
  const signIns = wereApart.length > 0 ? wereApart : [context];
  // A former sign-in that cannot be read cannot be revoked, and must not prevent a new one.
  const read = () => Promise.all(signIns.map(one => ports.credentials.get(one).catch(() => undefined)));
  const formers = await read();
  await storeSignIn(input, ports);
  const stored = await read();
  const {revokeFormer} = await import('./revoke.ts');
  for (const [index, former] of formers.entries()) {
    // A sign-in is stored a second time when the token of one server is added to it.
    if (former?.refreshToken === stored[index]?.refreshToken) continue;
    await revokeFormer(context, former, run).catch(() => undefined);
  }
  for (const {path} of [ports.credentials, ports.config]) tell({type: 'file-written', path, change: 'changed'});
};

/**
 * Writes a new sign-in: its secrets to the credentials, the addresses to the config. In this order, so that no context
 * ever names a sign-in that is not stored.
 *
 * @param entries returns the context's entries to store, from those that are known; without it they stay
 * @throws SetupError `local-write-failed`, `local-locked`, `local-config-invalid`
 */
export const storeSignIn = async (
  {context, token, clientSecret, ownTokens = {}, isKept = false}: SignInToKeep,
  ports: Ports,
  entries: (known: readonly ContextEntry[]) => readonly ContextEntry[] = known => known,
): Promise<void> => {
  const {credentials, config, memory} = ports;
  const saved = await config.read();
  const before = sameContextIn(saved, context);
  // The stored credentials name the account, which the context in an older file may not.
  const formers = await Promise.all(
    (before ? tokensOfSignIn(before) : []).map(async one =>
      keyOf((await credentials.get(one).catch(() => undefined)) ?? one),
    ),
  );
  const {account} = token;
  const as = (one: TokenContext) => ({...keyOf(one), account});
  const name = nameOfKey(as(context));
  const fingerprint = fingerprintOf(token.access.reveal());
  // A process that stores a person's sign-in again, such as after a failed write, must not replace the refresh token
  // that a renewal has stored since.
  const former = await credentials.get(as(context)).catch(() => undefined);
  const isStored = context.signIn === 'browser' && former !== undefined && memory.stored.get(name) === fingerprint;
  if (!isKept && !isStored) {
    await credentials.replace(as(context), {...learntOf(former), ...keptOf(context, {token, clientSecret}, ports)});
    memory.stored.set(name, fingerprint);
  }
  const own = contextFor(context, 'observability');
  if (own.audience !== undefined && ownTokens.observability) {
    await credentials.replace(as(own), keptOf(own, {token: {...ownTokens.observability, account}}, ports));
  }
  await keepProxyPasswords(context, saved.contexts, ports);
  const who = context.signIn === 'browser' ? {account} : {};
  await config.saveContext({...context, ...who}, entries);
  await ports.providers.keep();
  // The former sign-in of this context is useless, unless another one uses it too.
  const {contexts: all} = await config.read();
  for (const one of formers) {
    if (!isUsedBy(one, all)) await credentials.replace(one, undefined);
  }
};

/**
 * Stores the secrets of a sign-in alone, before a context names it.
 *
 * @throws SetupError `local-write-failed`, `local-locked`
 */
export const storeSecrets = async (
  {context, token, clientSecret}: Pick<SignInToKeep, 'context' | 'token' | 'clientSecret'>,
  ports: Ports,
): Promise<void> =>
  ports.credentials.replace({...keyOf(context), account: token.account}, keptOf(context, {token, clientSecret}, ports));

/** Returns the facts about the identity provider that this program has learnt from earlier sign-ins. */
const learntOf = ({lasted, rotates}: Partial<Credentials> = {}) => ({
  ...(lasted === undefined ? {} : {lasted}),
  ...(rotates === undefined ? {} : {rotates}),
});

/** The stored form of one sign-in. The secret of a client is stored once, with the sign-in itself. */
const keptOf = (
  context: TokenContext,
  {token, clientSecret}: Pick<SignInToKeep, 'token' | 'clientSecret'>,
  {clock}: Ports,
): Credentials => {
  const {signIn, audience} = context;
  const {account, expiresAt, signInEndsAt, access, refresh, subject, slides} = token;
  const now = clock.now();
  const secrets = {
    accessToken: access.reveal(),
    refreshToken: signIn === 'browser' ? refresh?.reveal() : undefined,
    clientSecret: signIn === 'browser' || audience !== undefined ? undefined : clientSecret?.reveal(),
    expiresAt,
    signInEndsAt,
    subject: signIn === 'browser' ? subject : undefined,
    signedInAt: signIn === 'browser' ? now : undefined,
    slides,
  };
  const present = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined));
  return {...keyOf(context), account, obtainedAt: now, ...present};
};
