import {isObject, type JsonObject, type Message, notification} from '../../mcp/message.ts';

/** The key of `_meta` under which a message names its subscription. */
export const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

/** The notification that answers a `subscriptions/listen`. */
export const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/**
 * The changes that a client can subscribe to and that the local server may announce, each with the list that its
 * notification names (MCP 2026-07-28, subscriptions).
 */
const lists = {
  toolsListChanged: 'tools',
  promptsListChanged: 'prompts',
  resourcesListChanged: 'resources',
} as const;

type Subscription = {
  readonly raw: Buffer;
  readonly id: unknown;
  readonly wanted: readonly string[];
  /** True if no server knows of it yet. */
  isHeld: boolean;
};

/**
 * Holds the subscriptions of an assistant of the stateless era. While no server can accept them, they are accepted here
 * at once, receive the changes that happen here, and are passed to the server when it is available.
 */
export const createSubscriptions = () => {
  const all = new Map<unknown, Subscription>();

  const note = ({raw, params}: Message, isHeld: boolean): Subscription => {
    const {id} = JSON.parse(raw.toString('utf8'));
    const filter: JsonObject = isObject(params?.notifications) ? params.notifications : {};
    const wanted = Object.entries(lists).flatMap(([key, list]) => (filter[key] === true ? [list] : []));
    const one = {raw, id, wanted, isHeld};
    all.set(id, one);
    return one;
  };

  return {
    /** Notes a `subscriptions/listen` that goes to the server. */
    note: (message: Message): void => void note(message, false),
    /** Accepts a subscription because no server can do so yet. Returns the notification that answers it. */
    hold: (message: Message): Buffer => {
      const {id} = note(message, true);
      return notification(ACKNOWLEDGED, {
        notifications: message.params?.notifications ?? {},
        _meta: {[SUBSCRIPTION_ID]: id},
      });
    },
    /** Forgets a subscription that the assistant ends. Returns true if no server knows of it. */
    ends: (id: unknown): boolean => {
      const one = all.get(id);
      all.delete(id);
      return one?.isHeld === true;
    },
    /** Returns the notifications for the subscribers to changes of these lists. */
    news: (changed: readonly string[]): readonly Buffer[] =>
      [...all.values()].flatMap(({id, wanted}) =>
        changed
          .filter(list => wanted.includes(list))
          .map(list => notification(`notifications/${list}/list_changed`, {_meta: {[SUBSCRIPTION_ID]: id}})),
      ),
    /** Returns the original messages of subscriptions that no server knows of, and no longer holds them. */
    release: (): readonly Buffer[] => {
      const held = [...all.values()].filter(({isHeld}) => isHeld);
      for (const one of held) one.isHeld = false;
      return held.map(({raw}) => raw);
    },
  };
};
