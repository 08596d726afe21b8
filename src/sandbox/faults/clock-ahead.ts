import type {JWTPayload} from 'jose';
import type {Effect, Wrap} from './effect.ts';

/** In milliseconds. More than the hour for which tokens are good: they have ended on this machine when they come. */
const clockOffset = -90 * 60_000;

/** Every answer is dated by the servers' clock (RFC 9110 6.6.1). */
const dated: Wrap = handler => (request, response) => {
  response.setHeader('Date', new Date(Date.now() + clockOffset).toUTCString());
  return handler(request, response);
};

const moved = (claims: JWTPayload): JWTPayload => {
  const times = ['iat', 'nbf', 'exp', 'auth_time'].flatMap(name => {
    const time = claims[name];
    return typeof time === 'number' ? [[name, time + clockOffset / 1000]] : [];
  });
  return {...claims, ...Object.fromEntries(times)};
};

export const clockAhead: Effect = {
  clockOffset,
  before: {'control-plane': dated, 'identity-provider': dated, observer: dated},
  tokenClaims: moved,
};
