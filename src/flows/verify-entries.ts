import type {Assistant} from '../assistants/assistant.ts';
import type {Place} from '../assistants/place.ts';
import type {Ports} from '../ports/ports.ts';
import {readBack} from './assistant-file.ts';
import type {Flow, McpServer} from './flow.ts';
import {listTools} from './list-tools.ts';
import type {McpEntry} from './mcp-entries.ts';
import {reporting, type Tell} from './reporting.ts';

export type VerifiedServer = {
  readonly server: McpServer;
  readonly label: string;
  readonly path: string;
  readonly url: string;
  readonly tools: number;
};

type Input = {readonly assistants: readonly Assistant[]; readonly place: Place; readonly entries: readonly McpEntry[]};

/**
 * The proof: reads each entry back from the file as it is on disk and uses it, address and header, as the assistant
 * would. Nothing is taken from memory.
 *
 * @throws SetupError `local-file-changed`, `auth-token-refused`, `platform-mcp-failed`, `network-*`
 */
export const verifyEntries: Flow<Input, readonly VerifiedServer[]> = ({assistants, place, entries}, ports, signal) =>
  reporting(signal, async (tell, signal) => {
    const pairs = assistants.flatMap(assistant => entries.map(entry => ({assistant, entry})));
    const settled = await Promise.allSettled(pairs.map(pair => verify(pair, place, ports, signal, tell)));
    signal.throwIfAborted();
    return settled.map(result => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  });

const verify = async (
  {assistant, entry}: {assistant: Assistant; entry: McpEntry},
  place: Place,
  ports: Ports,
  signal: AbortSignal,
  tell: Tell,
): Promise<VerifiedServer> => {
  const {server, label} = entry;
  const {path, url, headers} = await readBack(assistant, place, label, ports);
  const {names, ms} = await listTools({url, headers}, ports, signal, tell);
  tell({type: 'server-verified', server, path, url, tools: names.length, ms});
  return {server, label, path, url, tools: names.length};
};
