import {Agent, request} from 'node:https';
import {trustedAuthorities} from './authorities.ts';
import {lookup} from './lookup.ts';
import {IDLE_TIMEOUT} from './streams.ts';

/** Requests over TLS, by the certificates that every other call trusts, on connections that are kept. */
export const createSecureRequests = () => {
  const agent = new Agent({keepAlive: true, timeout: IDLE_TIMEOUT, lookup, ca: trustedAuthorities()} as object);
  return (...[url, options, answered]: Parameters<typeof request>) => request(url, {...options, agent}, answered);
};
