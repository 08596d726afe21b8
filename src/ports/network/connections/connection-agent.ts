import {Agent} from 'node:http';
import type {Duplex} from 'node:stream';
import type {Connector} from './connector.ts';
import {PROBE_AFTER} from './dial.ts';
import {ownAddresses} from './own-addresses.ts';
import {type Patience, patient} from './patience.ts';

export type ConnectionAgent = {
  readonly agent: Agent;
  /**
   * Closes what is not to be used again: a connection that was idle for a few seconds may have been forgotten by a
   * firewall, and one that is older than a change of this machine's addresses leads nowhere.
   */
  letGoOfStale(): void;
  /** Keeps nothing any more: what is idle is closed, and what is in use when it becomes idle. */
  retire(): void;
};

/** What is asked of this machine. */
export type Surroundings = {
  /** Milliseconds since the epoch, on a clock that goes on while the machine sleeps. */
  readonly now: () => number;
  /** This machine's addresses as one text. */
  readonly addresses?: () => string;
};

/** Said with a request, and read when it needs a connection. */
export type ConnectTo = {readonly url: URL; readonly signal?: AbortSignal; readonly patience?: Patience};

/** How long a connection may have been idle and still be used, in milliseconds; servers close them after five seconds. */
const IDLE_LIMIT = 4_000;

/** What was used a moment ago is used again without a look at this machine's addresses, in milliseconds. */
const MOMENT = 500;

type Kept = {readonly addresses: string; idleSince: number};

/** An agent of Node's HTTP client whose connections come from a connector. */
export const createAgent = (connector: Connector, {now, addresses = ownAddresses}: Surroundings): ConnectionAgent => {
  const kept = new WeakMap<Duplex, Kept>();
  const agent = new Agent({keepAlive: true, keepAliveMsecs: PROBE_AFTER});
  const unstoppable = new AbortController().signal;

  agent.createConnection = (options, made) => {
    const {url, signal = unstoppable, patience = patient} = (options as unknown as {connectTo: ConnectTo}).connectTo;
    const from = addresses();
    connector.connect(url, {patience, signal}).then(
      connection => {
        const state: Kept = {addresses: from, idleSince: Number.POSITIVE_INFINITY};
        kept.set(connection, state);
        connection.on('free', () => {
          state.idleSince = now();
        });
        made?.(null, connection);
      },
      error => made?.(error, undefined as never),
    );
    // It comes by the callback.
    return undefined as never;
  };

  const idle = () => Object.values(agent.freeSockets).flatMap(list => list ?? []);
  return {
    agent,
    letGoOfStale: () => {
      let current: string | undefined;
      for (const connection of idle()) {
        const {addresses: before, idleSince} = kept.get(connection) ?? {addresses: '', idleSince: 0};
        const since = now() - idleSince;
        if (since >= 0 && since < MOMENT) continue;
        current ??= addresses();
        // A clock that was set back says nothing of how long it was.
        if (since < 0 || since > IDLE_LIMIT || current !== before) connection.destroy();
      }
    },
    retire: () => {
      agent.maxFreeSockets = 0;
      for (const connection of idle()) connection.destroy();
    },
  };
};
