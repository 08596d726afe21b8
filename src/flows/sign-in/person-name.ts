import {personIn, type Token} from '../../domain/tokens.ts';
import {cleanText} from '../../text.ts';
import type {Run} from '../flow.ts';
import {namedAddress} from '../foreign-address.ts';
import {isSuccess, readJson} from '../http-answers.ts';
import type {OAuthClient} from './oauth-client.ts';

/** How long an identity provider may take to return a name, in milliseconds. */
const TIMEOUT = 3_000;

/**
 * Adds to a token the name by which the person knows their account. If the tokens have only a subject, asks the
 * UserInfo endpoint once (OpenID Connect Core 5.3), and only at the identity provider's own host, because the request
 * carries the access token. The sign-in is valid whether or not this succeeds.
 */
export const withName = async (token: Token, client: OAuthClient, run: Run): Promise<Token> => {
  const {subject} = token;
  if (subject === undefined || token.account !== cleanText(subject)) return token;
  const {issuer, userinfo_endpoint: endpoint} = client.configuration.serverMetadata();
  const url = namedAddress(endpoint);
  const own = new URL(issuer);
  if (url?.hostname !== own.hostname || (own.protocol === 'https:' && url.protocol !== 'https:')) return token;
  try {
    const headers = {accept: 'application/json', authorization: `Bearer ${token.access.reveal()}`};
    const request = {method: 'GET', url, headers, timeout: TIMEOUT, isQuick: true} as const;
    const reply = await run.ports.http.send(request, {signal: run.signal, report: run.tell});
    if (!isSuccess(reply)) return token;
    const claims = readJson(reply, url);
    // The answer has to name the same subject (OpenID Connect Core 5.3.2).
    const account = claims.sub === subject ? personIn(claims) : undefined;
    return account === undefined ? token : {...token, account};
  } catch {
    run.signal.throwIfAborted();
    return token;
  }
};
