import {Agent} from 'node:http';
import type {Duplex} from 'node:stream';
import type {Connector} from './connector.ts';
import {ownAddresses} from './own-addresses.ts';
import {type Patience, patient} from './patience.ts';

export type ConnectionAgent = {
  readonly agent: Agent;
  /**
   * Closes what is not to be used again: a connection that was idle for a few seconds may have been forgotten by a
   * firewall, and one that is older than a change of this machine's addresses leads nowhere.
   */
  letGoOfStale(): void;
};

/** Said with a request, and read when it needs a connection. */
export type ConnectTo = {readonly url: URL; readonly signal?: AbortSignal; readonly patience?: Patience};

/** How long a connection may have been idle and still be used, in milliseconds; servers close them after five seconds. */
const IDLE_LIMIT = 4_000;

/** What was used a moment ago is used again without a look at this machine's addresses, in milliseconds. */
const MOMENT = 500;

type Kept = {readonly addresses: string; idleSince: number};

/** An agent of Node's HTTP client whose connections come from a connector. */
export const createAgent = (connector: Connector, now: () => number, {keeps = true} = {}): ConnectionAgent => {
  const kept = new WeakMap<Duplex, Kept>();
  const agent = new Agent({keepAlive: keeps});
  const unstoppable = new AbortController().signal;

  agent.createConnection = (options, made) => {
    const {url, signal = unstoppable, patience = patient} = (options as unknown as {connectTo: ConnectTo}).connectTo;
    const addresses = ownAddresses();
    connector.connect(url, {patience, signal}).then(
      connection => {
        const state: Kept = {addresses, idleSince: Number.POSITIVE_INFINITY};
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

  return {
    agent,
    letGoOfStale: () => {
      let addresses: string | undefined;
      for (const connection of Object.values(agent.freeSockets).flatMap(list => list ?? [])) {
        const {addresses: before, idleSince} = kept.get(connection) ?? {addresses: '', idleSince: 0};
        const idle = now() - idleSince;
        if (idle >= 0 && idle < MOMENT) continue;
        addresses ??= ownAddresses();
        // A clock that was set back says nothing of how long it was.
        if (idle < 0 || idle > IDLE_LIMIT || addresses !== before) connection.destroy();
      }
    },
  };
};
