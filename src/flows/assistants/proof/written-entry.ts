import type {Assistant} from '../../../assistants/assistant.ts';
import type {Connection} from '../../../assistants/connection.ts';
import {choiceKeys} from '../../../assistants/formats/choices.ts';
import {recordIn} from '../../../assistants/formats/connections.ts';
import type {Method, Scope} from '../../../domain/context.ts';
import type {McpEntry} from '../../../domain/mcp-servers.ts';
import {isSameValue} from '../../../json.ts';
import {briefText} from '../../../text.ts';
import {entryFor, isSharedEntry, type Means, toolsIn} from '../assistant-entry.ts';

/** Keys by which a person switches an entry off and on, in the words of one client or another. */
const switches: readonly string[] = ['disabled', 'enabled'];

/** An entry as it stands in a file, and whose file that is. */
type Found = {
  readonly entry: unknown;
  readonly connection: Connection;
  readonly scope: Scope;
  /** Who reads the file. Where several do, it is in the words of one of them. */
  readonly readers: readonly Assistant[];
};

/**
 * The keys in which an entry differs from what this program would write there; none where it is the same. A file that
 * others can change, as a project's in version control, must not decide what is started here, nor with which variables
 * or in which directory. So in a project's file each key counts, also one that is not known, but for those that are the person's
 * to choose; in a file of the person's own those that this program writes do.
 */
export const foreignKeysIn = (
  {entry, connection, scope, readers}: Found,
  wanted: McpEntry,
  means: Means,
): readonly string[] => {
  const method = methodOf(connection);
  const client = connection.kind === 'oauth' ? {oauthClient: connection.clientId} : {};
  const choice = toolsIn(connection, wanted) ?? 'all';
  const tools = choice === 'all' ? {} : {tools: choice};
  // By its name it is looked for on PATH, where nothing of a project's is.
  const shared = scope === 'project' && isSharedEntry(connection) ? ({isShared: true} as const) : {};
  const differing = readers.map(assistant => {
    const written = recordIn(entryFor({assistant, scope, method, ...client, ...tools, ...shared}, wanted, means)) ?? {};
    const present = recordIn(entry) ?? {};
    const own = [...choiceKeys(assistant.entry, scope), ...switches];
    // In a file of their own, what this program does not write is the person's as well.
    const found = scope === 'user' ? [] : Object.keys(present);
    const keys = new Set([...found, ...Object.keys(written)].filter(key => !own.includes(key)));
    return [...keys].filter(key => !isSameValue(present[key], written[key]));
  });
  return differing.toSorted((one, other) => one.length - other.length)[0] ?? [];
};

/** The keys as they are told: they come from a file that others may have written. */
export const namesOf = (keys: readonly string[]): string =>
  keys
    .slice(0, 5)
    .map(key => briefText(key, 40))
    .join(', ');

const methodOf = ({kind}: Connection): Method => (kind === 'command' ? 'bridge' : kind);
