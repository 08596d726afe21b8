import type {Ports} from '../ports/ports.ts';
import {type Context, type Credentials, isSameSignIn} from '../ports/storage.ts';
import type {Flow} from './flow.ts';
import {secretOf} from './obtain-token.ts';
import {reportingToItsEnd} from './reporting.ts';
import type {TokenFacts} from './token-set.ts';

type Input = {readonly context: Context; readonly token: TokenFacts};

/** Keeps a sign-in as soon as it is there, whatever comes after it. @throws SetupError as `storeSignIn` */
export const saveSignIn: Flow<Input, void> = (input, ports, signal) =>
  reportingToItsEnd(async tell => {
    const {context} = input;
    // What cannot be read cannot be revoked, and keeps nobody from signing in again.
    const former = await ports.credentials.get(context).catch(() => undefined);
    await storeSignIn(input, ports);
    const {revokeFormer} = await import('./revoke-former.ts');
    await revokeFormer(context, former, ports, signal, tell).catch(() => undefined);
    for (const {path} of [ports.credentials, ports.config]) tell({type: 'file-written', path, change: 'changed'});
  });

/**
 * Writes what a sign-in brought: its secrets from the vault to the credentials, the addresses to the config. In this
 * order, so that no context ever names a sign-in that is not kept.
 *
 * @throws SetupError `local-write-failed`, `local-locked`, `local-config-invalid`
 */
export const storeSignIn = async ({context, token}: Input, ports: Ports): Promise<void> => {
  const {issuer, clientId, signIn} = context;
  const {vault, credentials, config, clock} = ports;
  const secrets = {
    accessToken: vault.get('access-token'),
    refreshToken: signIn === 'browser' ? vault.get('refresh-token') : undefined,
    clientSecret: signIn === 'browser' ? undefined : vault.get(secretOf(signIn)),
    expiresAt: token.expiresAt,
  };
  const present = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined));
  const kept: Credentials = {issuer, clientId, account: token.account, obtainedAt: clock.now(), ...present};
  const {contexts} = await config.read();
  const before = contexts.find(({name}) => name === context.name);
  await credentials.replace({issuer, clientId}, kept);
  const known = {...(before?.entries ? {entries: before.entries} : {}), ...(before?.cli ? {cli: before.cli} : {})};
  await config.saveContext({...known, ...context});
  // What this context signed in with before is of no use to anybody, unless another context has it too.
  const isUsed = contexts.some(one => one.name !== context.name && before !== undefined && isSameSignIn(one, before));
  if (before && !isSameSignIn(before, context) && !isUsed) await credentials.replace(before, undefined);
};
