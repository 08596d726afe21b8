import {OFFLINE_ACCESS, type WantedToken} from '../../domain/token-request.ts';
import type {Token} from '../../domain/tokens.ts';
import {operatorsChange} from '../../identity-providers/catalogue.ts';
import {fill} from '../../identity-providers/identity-provider.ts';
import type {Tell} from '../flow.ts';
import type {OAuthClient} from './oauth-client.ts';
import type {AskedToken} from './request-parameters.ts';

/** A sign-in of a person, and what is known of its renewal. */
export type SignedIn = {
  readonly token: Token;
  /** True if a refresh token may come if it is requested: none came, its scope is listed, and it was not requested. */
  readonly mayAskOffline?: true;
};

type Context = {readonly client: OAuthClient; readonly asked: AskedToken; readonly wanted: WantedToken};

/** Returns the result of a sign-in, and warns if nothing can renew it. */
export const signedIn = (token: Token, {client, asked, wanted}: Context, tell: Tell): SignedIn => {
  if (token.refresh !== undefined) return {token};
  const {refreshToken} = client.provider;
  const {issuer, scopes_supported: listed} = client.configuration.serverMetadata();
  const isAsked = asked.scopes.includes(OFFLINE_ACCESS);
  if (!isAsked && !refreshToken.isUnasked && !wanted.isWithoutOffline && listed?.includes(OFFLINE_ACCESS))
    return {token, mayAskOffline: true};
  const message = `${issuer} issued no refresh token, so you will have to sign in again when this token expires.`;
  const {client_id: clientId} = client.configuration.clientMetadata();
  const {setting} = refreshToken;
  const remedy = setting === undefined ? '' : ` ${operatorsChange(client.provider, fill(setting, {clientId}))}`;
  tell({type: 'warning', message: `${message}${remedy}`});
  return {token};
};
