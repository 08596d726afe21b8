import {dirname, join} from 'node:path';
import type {ProcessName} from '../../domain/credentials.ts';
import {fingerprintOf} from '../../domain/fingerprint.ts';
import type {Ports} from '../../ports/ports.ts';

/** The right to send one refresh token, and who has it. */
export type Claim = {
  readonly process: ProcessName;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/** For how long another process counts as running of which that cannot be known, in milliseconds. */
const TRUST_IN_OTHERS = 120_000;

/** The clocks of two machines that share a home are not further apart; a claim from later is of a clock that was wrong. */
const CLOCKS_APART = 60 * 60_000;

/**
 * What came of claiming a refresh token: a right that has to be given back, and how often it was sent before that by
 * processes that ended without an answer; or who has the right.
 */
export type Claimed = {readonly unanswered: number; readonly release: () => Promise<void>} | {readonly holder: Claim};

/**
 * Claims the right to send a refresh token that may work once. A lock is not enough: who is suspended while it holds one
 * loses it, and goes on. Each time that the token is sent has a file of its own, which one process alone can have made; one
 * of a process that has ended stays, as its answer was never kept.
 */
export const claimRefreshToken = async (refreshToken: string, ports: Ports): Promise<Claimed> => {
  const {clock, processes, claims, credentials} = ports;
  const pathOf = (count: number) => join(dirname(credentials.path), `renewing-${fingerprintOf(refreshToken)}-${count}`);
  for (let count = 0; ; count += 1) {
    const found = await claims.read(pathOf(count));
    const theirs = found === undefined ? undefined : claimIn(found);
    if (theirs && isHeld(theirs, ports)) return {holder: theirs};
    if (found !== undefined) continue;
    const own: Claim = {process: processes.self(), at: clock.now()};
    const isOurs = await claims.create(pathOf(count), JSON.stringify(own));
    const release = async () => {
      for (let at = count; at >= 0; at -= 1) await claims.remove(pathOf(at));
    };
    if (isOurs) return {unanswered: count, release};
    // Somebody was faster: who it is stands there.
    count -= 1;
  }
};

const isHeld = ({process, at}: Claim, {processes, clock}: Ports): boolean => {
  const {pid, host, started} = processes.self();
  // One renewal at a time is under way in a process: its own is from one that came to no end.
  if (process.pid === pid && process.host === host && process.started === started) return false;
  const age = clock.now() - at;
  return processes.isRunning(process) ?? (age < TRUST_IN_OTHERS && age > -CLOCKS_APART);
};

/** One that does not read was not made by this program: it is as if nobody had it. */
const claimIn = (text: string): Claim | undefined => {
  try {
    const claim: Claim = JSON.parse(text);
    return typeof claim.process.pid === 'number' ? claim : undefined;
  } catch {
    return undefined;
  }
};
