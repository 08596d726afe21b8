import {cleanText} from '../../text.ts';
import {notification} from '../messages/error-answer.ts';
import {isObject, type JsonObject} from '../messages/message.ts';
import type {ClientSettings} from './client-settings.ts';

/** A server with which a session was begun again: its answers to the two handshakes. */
export type Returned = {
  readonly url: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Whether it had not been reached before, and somebody else had answered the handshake. */
  readonly wasAway: boolean;
};

/** What is another than it was, in one sentence; undefined where nothing is. */
export const changeOf = ({url, before, after}: Omit<Returned, 'wasAway'>): string | undefined => {
  const changes = [
    changed(nameOf(before), nameOf(after)),
    changed(`MCP ${String(before.protocolVersion)}`, `MCP ${String(after.protocolVersion)}`),
    ...capabilityChanges(capabilitiesOf(before), capabilitiesOf(after)),
  ].filter(change => change !== '');
  return changes.length === 0 ? undefined : `${url} has changed since it was last reached: ${changes.join('; ')}.`;
};

const changed = (before: string, after: string): string =>
  before === after ? '' : `${cleanText(after)} where it was ${cleanText(before)}`;

const nameOf = ({serverInfo}: JsonObject): string =>
  isObject(serverInfo) ? `${String(serverInfo.name)} ${String(serverInfo.version)}` : 'unnamed';

const capabilitiesOf = ({capabilities}: JsonObject): JsonObject => (isObject(capabilities) ? capabilities : {});

const capabilityChanges = (before: JsonObject, after: JsonObject): readonly string[] => {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap(key => {
    const name = cleanText(key);
    if (!(key in before)) return [`${name} besides`];
    if (!(key in after)) return [`no ${name} any more`];
    return sorted(before[key]) === sorted(after[key]) ? [] : [`${name} in another way`];
  });
};

/** The same text for the same value, in whatever order its members come. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );

/**
 * A word of warning for the assistant, which most of them show: to whom wants warnings, or where the server may send them
 * unasked (MCP 2025-11-25, logging). Undefined for all others.
 *
 * @param capabilities of the server
 */
export const warningFor = (
  sentence: string,
  {wantsWarnings}: ClientSettings,
  capabilities: JsonObject,
): Buffer | undefined => {
  if (!(wantsWarnings ?? 'logging' in capabilities)) return undefined;
  return notification('notifications/message', {level: 'warning', logger: 'platform-setup', data: sentence});
};

/** What an assistant is told when its session was begun again: that lists may be others, and what the server is now. */
export const newsOf = (returned: Returned, settings: ClientSettings): readonly Buffer[] => {
  const capabilities = capabilitiesOf(returned.after);
  const lists = ['tools', 'prompts', 'resources'].filter(list => list === 'tools' || list in capabilities);
  const change = changeOf(returned);
  const warning = change === undefined ? undefined : warningFor(change, settings, capabilities);
  return [...lists.map(list => notification(`notifications/${list}/list_changed`)), ...(warning ? [warning] : [])];
};
