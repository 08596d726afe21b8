import type {Duplex} from 'node:stream';
import {SetupError} from '../../errors.ts';
import {hasAddress} from './own-addresses.ts';

/** How long a call may be without a byte before it is looked whether its server can still be reached, in milliseconds. */
const SILENCE = 15_000;

/** A server that restarts, or is busy for a moment, is away no longer than this many looks in a row. */
const LOOKS = 2;

type Watched = {
  readonly url: URL;
  /** Whether the server answers somebody who comes anew. */
  readonly ping: () => Promise<boolean>;
  /** Told once, when the answer cannot come any more. */
  readonly lost: (error: SetupError) => void;
};

export type Silence = {
  /** The request has its connection. */
  begin(connection: Duplex): void;
  /** Something came. */
  heard(): void;
  /** Nobody reads at the moment, so nothing is expected. */
  pause(): void;
  stop(): void;
};

/**
 * Ends a call whose answer can no longer come: this machine has lost the address that it was sent from, or its server
 * cannot be reached any more by whoever comes anew. A server that works for long on an answer, and can be reached, is
 * waited for without a limit.
 */
export const watchSilence = ({url, ping, lost}: Watched): Silence => {
  let timer: NodeJS.Timeout | undefined;
  let from: string | undefined;
  let missed = 0;
  let turn = 0;

  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), SILENCE);
  };
  const stop = () => {
    turn += 1;
    clearTimeout(timer);
  };
  const end = (reason: string) => {
    stop();
    lost(new SetupError('network-lost', `${url.origin} ${reason} while its answer was waited for.`));
  };
  const look = async () => {
    turn += 1;
    const mine = turn;
    if (from !== undefined && !hasAddress(from)) return end('was lost with a change of this machine’s network');
    const reached = await ping().catch(() => false);
    if (mine !== turn) return;
    missed = reached ? 0 : missed + 1;
    if (missed >= LOOKS) return end('could not be reached any more');
    wait();
  };
  const heard = () => {
    turn += 1;
    missed = 0;
    wait();
  };
  return {
    begin: connection => {
      from = 'localAddress' in connection ? String(connection.localAddress) : undefined;
      heard();
    },
    heard,
    pause: stop,
    stop,
  };
};
