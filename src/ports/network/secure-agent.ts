import {Agent, request} from 'node:https';
import {trustedAuthorities} from './authorities.ts';
import {lookup} from './lookup.ts';
import {IDLE_TIMEOUT} from './streams.ts';

/** Requests over TLS, by the certificates that every other call trusts, on connections that are kept. */
export const createSecureRequests = () => {
  const options = {keepAlive: true, timeout: IDLE_TIMEOUT, lookup, ca: trustedAuthorities()};
  // Said on every connection, so that NODE_TLS_REJECT_UNAUTHORIZED in somebody's environment switches nothing off.
  const agent = new Agent({...options, rejectUnauthorized: true} as object);
  return (...[url, options, answered]: Parameters<typeof request>) => request(url, {...options, agent}, answered);
};
