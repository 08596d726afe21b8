import {connect, isIP, type LookupFunction, type Socket} from 'node:net';
import type {Patience} from '../../ports.ts';
import {isLocalhostName} from '../loopback.ts';
import {held} from './error-listener.ts';
import {lookup} from './lookup.ts';
import {ConnectionTimeout} from './patience.ts';
import type {Target} from './target.ts';

/** After so many milliseconds of silence it is looked whether the other end is there: firewalls forget what is silent. */
export const PROBE_AFTER = 15_000;

/** How long one address of several is tried, in milliseconds: what gets lost is sent again after a second (RFC 6298 2). */
const ADDRESS_TIME = 1_200;

/**
 * Opens a TCP connection. Names of this machine go to loopback without a query.
 *
 * @throws Node's own errors, `ConnectionTimeout`, or what `signal` aborts with
 */
export const dial = (
  {host, port}: Target,
  patience: Patience,
  signal: AbortSignal,
  lookUp: LookupFunction = lookup,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect({
      ...{host, port, lookup: lookUp, noDelay: true, keepAlive: true, keepAliveInitialDelay: PROBE_AFTER},
      // A name of this machine's has two addresses, and a closed port is told at once at each. So the first is not given
      // up for the other before its time: a process that is busy for a moment would hear "refused" of the second.
      autoSelectFamilyAttemptTimeout: isLocalhostName(host) ? patience.connect : ADDRESS_TIME,
    });
    const settle = (act: () => void) => {
      stopClock();
      signal.removeEventListener('abort', abort);
      socket.off('error', fail).off('connect', connected).off('lookup', found);
      act();
    };
    const fail = (error: unknown) =>
      settle(() => {
        held(socket).destroy();
        reject(error);
      });
    const abort = () => fail(signal.reason);
    const connected = () => settle(() => resolve(held(socket)));
    let stopClock = () => {};
    const allow = (part: 'name' | 'connect') => {
      stopClock();
      const timer = setTimeout(() => fail(new ConnectionTimeout(part)), patience[part]);
      stopClock = () => clearTimeout(timer);
    };
    const found = () => allow('connect');
    signal.addEventListener('abort', abort, {once: true});
    socket.on('error', fail).on('connect', connected).once('lookup', found);
    allow(isIP(host) === 0 ? 'name' : 'connect');
  });
