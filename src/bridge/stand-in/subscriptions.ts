import {isObject, type JsonObject, type Message, notification} from '../../mcp/message.ts';

/** By which key of `_meta` a message names its subscription. */
export const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

/** What answers a `subscriptions/listen`. */
export const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** What a client can listen for that a stand-in may have to tell, and by which notification (MCP 2026-07-28, subscriptions). */
const lists = {
  toolsListChanged: 'tools',
  promptsListChanged: 'prompts',
  resourcesListChanged: 'resources',
} as const;

type Subscription = {
  readonly raw: Buffer;
  readonly id: unknown;
  readonly wanted: readonly string[];
  /** Whether no server has heard of it yet. */
  isHeld: boolean;
};

/**
 * The subscriptions of an assistant of the stateless era. While no server can hold them they are taken at once, hear what
 * changes here, and go on to the server when it is there.
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
    /** Takes one in the server’s place. Gives what it is answered by. */
    hold: (message: Message): Buffer => {
      const {id} = note(message, true);
      return notification(ACKNOWLEDGED, {
        notifications: message.params?.notifications ?? {},
        _meta: {[SUBSCRIPTION_ID]: id},
      });
    },
    /** Forgets one that the assistant ends. Gives whether no server has heard of it. */
    ends: (id: unknown): boolean => {
      const one = all.get(id);
      all.delete(id);
      return one?.isHeld === true;
    },
    /** What those hear who listen for changes of these lists. */
    news: (changed: readonly string[]): readonly Buffer[] =>
      [...all.values()].flatMap(({id, wanted}) =>
        changed
          .filter(list => wanted.includes(list))
          .map(list => notification(`notifications/${list}/list_changed`, {_meta: {[SUBSCRIPTION_ID]: id}})),
      ),
    /** Lets go of those that no server has heard of, as they came. */
    release: (): readonly Buffer[] => {
      const held = [...all.values()].filter(({isHeld}) => isHeld);
      for (const one of held) one.isHeld = false;
      return held.map(({raw}) => raw);
    },
  };
};
