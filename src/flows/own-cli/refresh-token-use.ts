import type {Context} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Tell} from '../reporting.ts';
import {accessTokenInstead, requestRenewal} from '../sign-in/kept/access-token.ts';

/** Whether a refresh token stays good after its use, or another takes its place. `unknown`: it could not be found out. */
export type RefreshTokenUse = 'stays' | 'used-once' | 'unknown' | 'none';

type Input = {
  readonly context: Context;
  /** Whether the sign-in is kept already; else its tokens are in the vault, and nowhere else. */
  readonly isKept: boolean;
};

/**
 * Finds out by a renewal whether the identity provider takes a refresh token again. Metadata do not tell it, and to share
 * one that is used once would end the sign-in of everybody who has it, at the second renewal (RFC 9700 4.14.2). What the
 * renewal brings takes the place of what was there.
 */
export const refreshTokenUse = async (input: Input, ports: Ports, tell: Tell): Promise<RefreshTokenUse> => {
  if (input.context.signIn !== 'browser') return 'none';
  try {
    return input.isKept ? await renewKept(input.context, ports, tell) : await renewInVault(input.context, ports, tell);
  } catch (error) {
    if (error instanceof SetupError) return 'unknown';
    throw error;
  }
};

const renewKept = async (context: Context, ports: Ports, tell: Tell): Promise<RefreshTokenUse> => {
  const before = await ports.credentials.get(context);
  if (before?.refreshToken === undefined) return 'none';
  const {signal} = new AbortController();
  const renewal = accessTokenInstead({context, refused: before.accessToken ?? ''}, ports, signal);
  let step = await renewal.next();
  for (; !step.done; step = await renewal.next()) tell(step.value);
  ports.vault.set('access-token', step.value.accessToken);
  const after = await ports.credentials.get(context);
  return after?.refreshToken === before.refreshToken ? 'stays' : 'used-once';
};

const renewInVault = async (context: Context, ports: Ports, tell: Tell): Promise<RefreshTokenUse> => {
  const {vault} = ports;
  const refreshToken = vault.get('refresh-token');
  if (refreshToken === undefined) return 'none';
  const {issuer, clientId} = context;
  const renewed = await requestRenewal(context, {issuer, clientId, refreshToken}, ports, tell);
  vault.set('access-token', renewed.accessToken);
  vault.set('refresh-token', renewed.refreshToken);
  return renewed.refreshToken === refreshToken ? 'stays' : 'used-once';
};
