import {isIP} from 'node:net';

const unbracketed = (hostname: string) => hostname.replace(/^\[|\]$/g, '').toLowerCase();

/** `localhost` and every name below it: never looked up, always this machine (RFC 6761 6.3). */
export const isLocalhostName = (hostname: string): boolean => {
  const name = unbracketed(hostname).replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
};

/** A name that resolvers need not know: they all know `localhost` itself, and many none below it. */
export const isBelowLocalhost = (hostname: string): boolean =>
  isLocalhostName(hostname) && !/^localhost\.?$/i.test(hostname);

/** A host that can only be this machine: a localhost name, 127.0.0.0/8 or ::1. */
export const isLoopback = (hostname: string): boolean => {
  const host = unbracketed(hostname);
  return isLocalhostName(host) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
};
