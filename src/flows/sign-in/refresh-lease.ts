import {dirname, join} from 'node:path';
import type {ProcessName} from '../../domain/credentials.ts';
import {fingerprintOf} from '../../domain/fingerprint.ts';
import type {Ports} from '../../ports/ports.ts';

/** The right to send one refresh token, and the process that has it. */
export type Lease = {
  readonly process: ProcessName;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/** How long another process counts as running if that cannot be checked, in milliseconds. */
const TRUST_IN_OTHERS = 120_000;

/**
 * The largest difference between the clocks of two machines that share a home, in milliseconds. A lease that is dated
 * further ahead comes from a wrong clock.
 */
const CLOCKS_APART = 60 * 60_000;

/**
 * The result of asking for a lease: a lease to release, with the number of earlier attempts to send the token whose
 * process ended before it stored an answer; or the lease of the process that holds the right now.
 */
export type LeaseResult =
  | {readonly unanswered: number; readonly release: () => Promise<void>}
  | {readonly holder: Lease};

/**
 * Acquires the right to send a refresh token that may work only once. A lock is not enough: a process that is suspended
 * while it holds a lock loses the lock, and goes on afterwards. Each attempt to send the token has its own file, which
 * only one process can have created. The file of a process that has ended stays, because its answer was never stored.
 */
export const acquireLease = async (refreshToken: string, ports: Ports): Promise<LeaseResult> => {
  const {clock, processes, exclusiveFiles, credentials} = ports;
  const pathOf = (count: number) => join(dirname(credentials.path), `renewing-${fingerprintOf(refreshToken)}-${count}`);
  for (let count = 0; ; count += 1) {
    const found = await exclusiveFiles.read(pathOf(count));
    const theirs = found === undefined ? undefined : parseLease(found);
    if (theirs && isHeld(theirs, ports)) return {holder: theirs};
    if (found !== undefined) continue;
    const own: Lease = {process: processes.self(), at: clock.now()};
    const isOurs = await exclusiveFiles.create(pathOf(count), JSON.stringify(own));
    const release = async () => {
      for (let at = count; at >= 0; at -= 1) await exclusiveFiles.remove(pathOf(at));
    };
    if (isOurs) return {unanswered: count, release};
    // Another process was faster: the next read of this file shows which one.
    count -= 1;
  }
};

const isHeld = ({process, at}: Lease, {processes, clock}: Ports): boolean => {
  const {pid, host, started} = processes.self();
  // A process renews one sign-in at a time: a lease of its own is left from a renewal that did not finish.
  if (process.pid === pid && process.host === host && process.started === started) return false;
  const age = clock.now() - at;
  return processes.isRunning(process) ?? (age < TRUST_IN_OTHERS && age > -CLOCKS_APART);
};

/** A file that cannot be parsed was not made by this program: no process holds the lease. */
const parseLease = (text: string): Lease | undefined => {
  try {
    const lease: Lease = JSON.parse(text);
    return typeof lease.process.pid === 'number' ? lease : undefined;
  } catch {
    return undefined;
  }
};
