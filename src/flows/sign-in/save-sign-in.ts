import type {Context, ContextEntry} from '../../domain/context.ts';
import {type Credentials, keyOf} from '../../domain/credentials.ts';
import type {Secret} from '../../domain/secret.ts';
import {contextFor, isUsedBy, type OwnTokens, signInsOf, type Token, type TokenContext} from '../../domain/tokens.ts';
import type {Ports} from '../../ports/ports.ts';
import {keepProxyPasswords} from '../deployment/network.ts';
import type {Flow} from '../flow.ts';

export type SignInToKeep = {
  readonly context: Context;
  readonly token: Token;
  /** Of a client that has one. */
  readonly clientSecret?: Secret | undefined;
  /** Of the servers that have tokens of their own. */
  readonly ownTokens?: OwnTokens;
  /** Whether the sign-in itself is kept already: another process may have renewed it since. */
  readonly isKept?: boolean;
};

/** Keeps a sign-in as soon as it is there, whatever comes after it. @throws SetupError as `storeSignIn` */
export const saveSignIn: Flow<SignInToKeep, void> = async (input, run) => {
  const {ports, tell} = run;
  const {context} = input;
  const before = (await ports.config.read()).contexts.find(({name}) => name === context.name);
  const wereApart = before?.resources === undefined ? [] : signInsOf({...context, resources: before.resources});
  const signIns = wereApart.length > 0 ? wereApart : [context];
  // What cannot be read cannot be revoked, and keeps nobody from signing in again.
  const read = () => Promise.all(signIns.map(one => ports.credentials.get(one).catch(() => undefined)));
  const formers = await read();
  await storeSignIn(input, ports);
  const kept = await read();
  const {revokeFormer} = await import('./revoke.ts');
  for (const [index, former] of formers.entries()) {
    // The same sign-in is kept a second time where a token for one server has come to it.
    if (former?.refreshToken === kept[index]?.refreshToken) continue;
    await revokeFormer(context, former, run).catch(() => undefined);
  }
  for (const {path} of [ports.credentials, ports.config]) tell({type: 'file-written', path, change: 'changed'});
};

/**
 * Writes what a sign-in brought: its secrets to the credentials, the addresses to the config. In this order, so that no
 * context ever names a sign-in that is not kept.
 *
 * @param entries what is to be known of the context's entries, given what is known by then; without it that stays
 * @throws SetupError `local-write-failed`, `local-locked`, `local-config-invalid`
 */
export const storeSignIn = async (
  {context, token, clientSecret, ownTokens = {}, isKept = false}: SignInToKeep,
  ports: Ports,
  entries: (known: readonly ContextEntry[]) => readonly ContextEntry[] = known => known,
): Promise<void> => {
  const {credentials, config} = ports;
  const {contexts} = await config.read();
  const before = contexts.find(({name}) => name === context.name);
  // As whom, too: a file of before may not say so by its context.
  const formers = await Promise.all(
    (before ? signInsOf(before) : []).map(async one =>
      keyOf((await credentials.get(one).catch(() => undefined)) ?? one),
    ),
  );
  const {account} = token;
  const as = (one: TokenContext) => ({...keyOf(one), account});
  if (!isKept) {
    const former = await credentials.get(as(context)).catch(() => undefined);
    await credentials.replace(as(context), {...learntOf(former), ...keptOf(context, {token, clientSecret}, ports)});
  }
  const own = contextFor(context, 'observability');
  if (own.audience !== undefined && ownTokens.observability) {
    await credentials.replace(as(own), keptOf(own, {token: {...ownTokens.observability, account}}, ports));
  }
  await keepProxyPasswords(context, contexts, ports);
  const who = context.signIn === 'browser' ? {account} : {};
  const saved = {...context, ...who};
  await config.saveContext(saved, entries);
  await ports.providers.keep();
  // What this context signed in with before is of no use to anybody, unless another context has it too.
  const all = [...contexts.filter(({name}) => name !== context.name), saved];
  for (const one of formers) {
    if (!isUsedBy(one, all)) await credentials.replace(one, undefined);
  }
};

/** What the sign-ins before have taught of the identity provider. */
const learntOf = ({lasted, rotates}: Partial<Credentials> = {}) => ({
  ...(lasted === undefined ? {} : {lasted}),
  ...(rotates === undefined ? {} : {rotates}),
});

/** As which one sign-in is kept. The secret of a client is kept once, with the sign-in itself. */
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
