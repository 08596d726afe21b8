import type {Assistant} from '../../assistants/assistant.ts';
import type {Connection} from '../../assistants/connection.ts';
import type {Place} from '../../assistants/place.ts';
import type {McpEntry, McpServer} from '../../domain/mcp-servers.ts';
import type {Ports} from '../../ports/ports.ts';
import {assistantsHere} from './assistants-here.ts';
import {readRules} from './within-rules.ts';

/** An entry by which an organisation has connected an assistant to a server. */
export type GivenEntry = {
  readonly assistant: Assistant;
  readonly server: McpServer;
  readonly name: string;
  readonly path: string;
  readonly connection: Connection;
};

type Input = {
  readonly assistants: readonly Assistant[];
  readonly place: Place;
  /** The name of the context. */
  readonly context: string;
  readonly entries: readonly McpEntry[];
};

/** The entries of a context that an organisation has given the assistants of this machine. Starts nothing; never fails. */
export const givenEntries = async (
  {assistants, place, context, entries}: Input,
  ports: Ports,
): Promise<readonly GivenEntry[]> => {
  const managed = assistants.filter(({rules}) => rules?.gives !== undefined);
  const found = await Promise.all(
    managed.map(async assistant => {
      const {providedBy} = await readRules(assistant, place, ports);
      return entries.flatMap(entry => {
        const given = providedBy(entry, context);
        return given ? [{assistant, server: entry.server, ...given}] : [];
      });
    }),
  );
  const given = found.flat();
  if (given.length === 0) return [];
  const here = await assistantsHere({assistants: managed, place}, ports);
  return given.filter(({assistant}) => here.includes(assistant.name));
};
