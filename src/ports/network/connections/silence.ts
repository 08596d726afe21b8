import {SetupError} from '../../../errors/errors.ts';
import {hasAddress} from './own-addresses.ts';

/** How long a call may be without a byte before it is looked whether its server can still be reached, in milliseconds. */
export const SILENCE = 15_000;

/** A server that restarts, or is busy for a moment, is away no longer than this many looks in a row. */
const LOOKS = 2;

type Watched = {
  readonly url: URL;
  /** Whether the server answers somebody who comes anew; given up when `signal` says so. */
  readonly ping: (signal: AbortSignal) => Promise<boolean>;
  /** Told once, when the answer cannot come any more. */
  readonly lost: (error: SetupError) => void;
  /** Whether this machine still has an address. */
  readonly has?: (address: string) => boolean;
};

export type Silence = {
  /** The request has a connection, from this address of this machine where that is known. */
  begin(from: string | undefined): void;
  /** Something came, or is waited for again. */
  heard(): void;
  /** Nobody reads at the moment, so nothing is expected. */
  pause(): void;
  /** The call is over; whatever comes after says nothing. */
  stop(): void;
};

/**
 * Ends a call whose answer can no longer come: this machine has lost the address that it was sent from, or its server
 * cannot be reached any more by whoever comes anew. A server that works for long on an answer, and can be reached, is
 * waited for without a limit.
 */
export const watchSilence = ({url, ping, lost, has = hasAddress}: Watched): Silence => {
  let timer: NodeJS.Timeout | undefined;
  let looking: AbortController | undefined;
  let from: string | undefined;
  let missed = 0;
  let isOver = false;

  const rest = () => {
    clearTimeout(timer);
    looking?.abort();
    looking = undefined;
  };
  const wait = () => {
    rest();
    if (!isOver) timer = setTimeout(() => void look(), SILENCE);
  };
  const stop = () => {
    isOver = true;
    rest();
  };
  const end = (what: string) => {
    stop();
    lost(new SetupError('network-lost', `${what}, so its answer cannot come any more.`, {about: {server: url.origin}}));
  };
  const look = async () => {
    if (from !== undefined && !has(from)) {
      return end(`This machine has lost the address from which it called ${url.origin}`);
    }
    const mine = new AbortController();
    looking = mine;
    const reached = await ping(mine.signal).catch(() => false);
    if (mine.signal.aborted) return;
    missed = reached ? 0 : missed + 1;
    if (missed >= LOOKS) return end(`${url.origin} can no longer be reached`);
    wait();
  };
  const heard = () => {
    missed = 0;
    wait();
  };
  return {
    begin: source => {
      from = source;
      heard();
    },
    heard,
    pause: rest,
    stop,
  };
};
