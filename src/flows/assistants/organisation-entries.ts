import type {Assistant} from '../../assistants/assistant.ts';
import type {Connection} from '../../assistants/connection.ts';
import type {Place} from '../../assistants/place.ts';
import type {McpEntry, McpServer} from '../../domain/mcp-servers.ts';
import type {Ports} from '../../ports/ports.ts';
import {installedAssistants} from './installed-assistants.ts';
import {readRules} from './organisation-rules.ts';

/** An entry with which an organisation has connected an assistant to a server. */
export type OrganisationEntry = {
  readonly assistant: Assistant;
  readonly server: McpServer;
  readonly name: string;
  readonly path: string;
  readonly connection: Connection;
};

type Where = {readonly assistants: readonly Assistant[]; readonly place: Place};

/** The name of a context, and its servers. */
type Wanted = {readonly context: string; readonly entries: readonly McpEntry[]};

/**
 * Returns the entries of a context that an organisation has given to the assistants on this machine. Starts nothing;
 * never fails.
 */
export const organisationEntries = async (
  {context, entries, ...where}: Where & Wanted,
  ports: Ports,
): Promise<readonly OrganisationEntry[]> => {
  const [found = []] = await organisationEntriesOfEach([{context, entries}], where, ports);
  return found;
};

/** Returns the given entries for many contexts, in their order. Reads the organisation's files once. */
export const organisationEntriesOfEach = async (
  contexts: readonly Wanted[],
  {assistants, place}: Where,
  ports: Ports,
): Promise<readonly (readonly OrganisationEntry[])[]> => {
  const managed = assistants.filter(({rules}) => rules?.gives !== undefined);
  const rulings = await Promise.all(
    managed.map(async assistant => ({assistant, ruling: await readRules(assistant, place, ports)})),
  );
  const found = contexts.map(({context, entries}) =>
    rulings.flatMap(({assistant, ruling}) =>
      entries.flatMap(entry => {
        const provided = ruling.providedBy(entry, context);
        return provided ? [{assistant, server: entry.server, ...provided}] : [];
      }),
    ),
  );
  if (found.every(entries => entries.length === 0)) return found;
  const here = await installedAssistants({assistants: managed, place}, ports);
  return found.map(entries => entries.filter(({assistant}) => here.includes(assistant.name)));
};
