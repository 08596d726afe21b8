import {isObject, type JsonObject, type Message} from '../messages/message.ts';
import {rpcErrorIn} from '../refusal.ts';

/** A request by which an assistant sets something that a server forgets with the session. */
export type Setting = {readonly method: string; readonly params: JsonObject};

/** MCP 2025-11-25, logging: from the least to the most severe (RFC 5424 6.2.1). */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

const methods: ReadonlySet<unknown> = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

/** What of a message is a setting; undefined for any other. */
export const settingIn = ({method, params}: Message): Setting | undefined =>
  method !== undefined && methods.has(method) && params ? {method, params} : undefined;

/** What an assistant has set in a session (MCP 2025-11-25, logging and resources), as far as the server did it. */
export const createClientSettings = () => {
  const subscriptions = new Map<unknown, Setting>();
  let level: Setting | undefined;
  return {
    /** @param answer of the server to the request */
    learn: (setting: Setting, answer: Buffer): void => {
      if (rpcErrorIn({text: answer.toString('utf8')})) return;
      const {method, params} = setting;
      if (method === 'logging/setLevel') level = setting;
      else if (method === 'resources/subscribe') subscriptions.set(params.uri, setting);
      else subscriptions.delete(params.uri);
    },
    /** What has to be said to a server that knows nothing of it. */
    all: (): readonly Setting[] => [...(level ? [level] : []), ...subscriptions.values()],
    /** Whether the assistant wants to hear of warnings; undefined where it said nothing of that. */
    get wantsWarnings(): boolean | undefined {
      return level && levels.indexOf(String(level.params.level)) <= levels.indexOf('warning');
    },
    clear: (): void => {
      level = undefined;
      subscriptions.clear();
    },
  };
};

export type ClientSettings = ReturnType<typeof createClientSettings>;

/** What a server says of itself in its answer to a handshake (MCP 2025-11-25, lifecycle). */
export const descriptionIn = (answer: Buffer): JsonObject => {
  const message: unknown = JSON.parse(answer.toString('utf8'));
  return isObject(message) && isObject(message.result) ? message.result : {};
};
