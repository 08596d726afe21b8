import type {Context} from '../../domain/context.ts';
import {Secret, secretFrom} from '../../domain/secret.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Tell} from '../flow.ts';
import {accessTokenInstead} from '../sign-in/access-token.ts';
import {requestRenewal} from '../sign-in/refresh-request.ts';
import type {CliSecrets, OwnCliInput} from './compose-cli.ts';

/** Whether a refresh token stays good after its use, or another takes its place. `unknown`: it could not be found out. */
export type RefreshTokenUse = 'stays' | 'used-once' | 'unknown' | 'none';

/** What a renewal brought takes the place of what the run had; absent where there was none. */
export type RenewedTokens = {readonly access: Secret; readonly refresh?: Secret};

type Found = {readonly use: RefreshTokenUse; readonly renewed?: RenewedTokens};

/**
 * Finds out by a renewal whether the identity provider takes a refresh token again. Metadata do not tell it, and to share
 * one that is used once would end the sign-in of everybody who has it, at the second renewal (RFC 9700 4.14.2). What the
 * renewal brings takes the place of what was there.
 */
export const refreshTokenUse = async (
  {context, unsaved}: Pick<OwnCliInput, 'context' | 'unsaved'>,
  ports: Ports,
  tell: Tell,
): Promise<Found> => {
  if (context.signIn !== 'browser') return {use: 'none'};
  try {
    return unsaved ? await renewUnsaved(context, unsaved, ports, tell) : await renewKept(context, ports, tell);
  } catch (error) {
    if (error instanceof SetupError) return {use: 'unknown'};
    throw error;
  }
};

const renewKept = async (context: Context, ports: Ports, tell: Tell): Promise<Found> => {
  const before = await ports.credentials.get(context);
  if (before?.refreshToken === undefined) return {use: 'none'};
  const {signal} = new AbortController();
  const renewed = await accessTokenInstead({context, refused: before.accessToken ?? ''}, {ports, signal, tell});
  const after = await ports.credentials.get(context);
  const use = after?.refreshToken === before.refreshToken ? 'stays' : 'used-once';
  return {use, renewed: {access: new Secret(renewed.accessToken)}};
};

const renewUnsaved = async (context: Context, {refresh}: CliSecrets, ports: Ports, tell: Tell): Promise<Found> => {
  if (!refresh) return {use: 'none'};
  const {issuer, clientId} = context;
  const refreshToken = refresh.reveal();
  const answer = await requestRenewal(context, {issuer, clientId, refreshToken}, ports, tell);
  const next = secretFrom(answer.refreshToken);
  return {
    use: answer.refreshToken === refreshToken ? 'stays' : 'used-once',
    renewed: {access: new Secret(answer.accessToken), ...(next ? {refresh: next} : {})},
  };
};
