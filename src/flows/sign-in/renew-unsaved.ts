import type {Context} from '../../domain/context.ts';
import {fingerprintOf} from '../../domain/fingerprint.ts';
import {Secret} from '../../domain/secret.ts';
import {type OwnTokens, type Token, tokensOfSignIn} from '../../domain/tokens.ts';
import type {Flow} from '../flow.ts';
import {requestRenewal, SpentError} from './refresh-request.ts';

type Unsaved = {
  readonly context: Context;
  readonly token: Token;
  /** The tokens for one server only. */
  readonly ownTokens?: OwnTokens | undefined;
  /** The secret of a client that signed in with it. */
  readonly clientSecret?: Secret | undefined;
};

/**
 * Renews the tokens of a sign-in that is not saved yet. No other process knows it, so no lease is needed. Stores nothing.
 *
 * @throws SetupError if the identity provider refuses, or cannot be asked
 */
export const renewUnsaved: Flow<Unsaved, {readonly token: Token; readonly ownTokens: OwnTokens}> = async (
  {context, token, ownTokens = {}, clientSecret},
  {ports, tell},
) => {
  const renewed = async (asked: Context, current: Token): Promise<Token> => {
    const {refresh, subject} = current;
    const credentials = {
      issuer: asked.issuer,
      clientId: asked.clientId,
      ...(refresh ? {refreshToken: refresh.reveal()} : {}),
      ...(subject === undefined ? {} : {subject}),
      ...(clientSecret ? {clientSecret: clientSecret.reveal()} : {}),
    };
    const {accessToken, refreshToken, expiresAt, signInEndsAt} = await requestRenewal(
      asked,
      credentials,
      ports,
      tell,
    ).catch(error => {
      throw error instanceof SpentError ? error.cause : error;
    });
    const {expiresAt: _, ...others} = current;
    return {
      ...others,
      access: new Secret(accessToken),
      fingerprint: fingerprintOf(accessToken),
      ...(refreshToken === undefined ? {} : {refresh: new Secret(refreshToken)}),
      ...(expiresAt === undefined ? {} : {expiresAt}),
      ...(signInEndsAt === undefined ? {} : {signInEndsAt}),
    };
  };
  const [signIn = context, own] = tokensOfSignIn(context);
  const fresh = await renewed(signIn, token);
  const {observability} = ownTokens;
  return {
    token: fresh,
    ownTokens: own && observability ? {observability: await renewed(own, observability)} : ownTokens,
  };
};
