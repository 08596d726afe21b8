import {setTimeout as delay} from 'node:timers/promises';
import {tokenServer} from '../../support/token-server.ts';

/**
 * An identity provider with single-use refresh tokens: a token that comes twice ends the whole sign-in (RFC 9700
 * 4.14.2). It takes its time, and does nothing for a client that has gone before it begins.
 *
 * @param takes the duration of a renewal, in milliseconds
 */
export const singleUseProvider = async ({takes = 0, lifetime = 3600} = {}) => {
  let newest = 'refresh-0';
  let isEnded = false;
  let arrive = () => {};
  const good = new Set(['access-0']);
  const server = await tokenServer(async (form, count) => {
    arrive();
    await delay(takes);
    const sent = form.get('refresh_token');
    if (isEnded || sent !== newest) {
      isEnded = true;
      return {status: 400, body: {error: 'invalid_grant'}};
    }
    newest = `refresh-${count}`;
    good.add(`access-${count}`);
    const body = {access_token: `access-${count}`, refresh_token: newest, token_type: 'Bearer', expires_in: lifetime};
    return {body};
  });
  return {
    ...server,
    accepts: (token: string) => good.has(token),
    /** Whether a refresh token came twice, so that the sign-in has ended. */
    isEnded: () => isEnded,
    /** Resolves when the next request for new tokens has arrived. */
    arrived: () =>
      new Promise<void>(resolve => {
        arrive = resolve;
      }),
  };
};
