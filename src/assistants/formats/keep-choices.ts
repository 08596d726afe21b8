import {recordIn} from './connections.ts';

/** What a person, or a client on their word, writes into an entry: which tools need no question, how long to wait. */
const choices: ReadonlySet<string> = new Set([
  'alwaysAllow',
  'autoApprove',
  'disabledTools',
  'disabled_tools',
  'enabled_tools',
  'excludeTools',
  'includeTools',
  'startup_timeout_sec',
  'timeout',
  'tool_timeout_sec',
  'tools',
  'trust',
]);

/** An entry that replaces another of ours, with the choices that were made in that one. Whether it is off is not kept. */
export const keepChoices = (entry: object, present: unknown): object => {
  const kept = Object.entries(recordIn(present) ?? {}).filter(([key]) => choices.has(key));
  return {...entry, ...Object.fromEntries(kept)};
};
