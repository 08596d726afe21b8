import type {Assistant} from '../../assistants/assistant.ts';
import type {HandedOut, Handling, ManagedFile, OwnRegistry} from '../../assistants/managed.ts';
import {managedBy} from '../../assistants/managed-files.ts';
import type {System} from '../../assistants/place.ts';
import {addressIn, type McpEntry} from '../../domain/mcp-servers.ts';
import {Secret} from '../../domain/secret.ts';
import type {ToolPreset} from '../../domain/tool-sets.ts';
import {entryFor, nameFor} from '../assistants/assistant-entry.ts';
import type {KitFile} from './platform-files.ts';
import {anyMachine, machineWideCommand} from './platform-files.ts';

type About = {
  readonly assistants: readonly Assistant[];
  readonly entries: readonly McpEntry[];
  /** The name of people's contexts, as this program chooses it by itself. */
  readonly context: string;
  readonly baseDomain: string;
  readonly tools?: ToolPreset;
  /** Hosts that may be called without TLS, in the form of the flag. */
  readonly allowHttp?: string;
  /** The registry of the organisation, if it has named one. */
  readonly registry?: OwnRegistry;
  readonly system: System;
};

/** The names of the systems in the kit's directories. */
const names = {linux: 'linux', darwin: 'macos', win32: 'windows'} as const;

/** Returns the directory of the files for machines of a system, for one handling. */
export const machinesOf = (handling: Handling, system: System): string => `machines/${handling}/${names[system]}`;

/**
 * Returns the policies and entries of assistants for every machine of a system, each below the directory of its
 * handling and system.
 */
export const machineFiles = ({
  assistants,
  entries,
  tools,
  system,
  allowHttp,
  registry,
  ...about
}: About): readonly KitFile[] => {
  const place = anyMachine(system);
  const own = {...machineWideCommand(system), ...(allowHttp === undefined ? {} : {allowHttp})};
  const means = {place, own, tokens: {signIn: new Secret('')}, ...about};
  return assistants.flatMap(assistant => {
    const managed = managedBy(assistant.id);
    if (!managed) return [];
    const target = {assistant, scope: 'user', method: managed.method, ...(tools ? {tools} : {})} as const;
    const servers = entries.flatMap((entry): readonly HandedOut[] => {
      const value = entryFor(target, entry, means);
      const connection = assistant.entry.read(value);
      const [url, narrowed] = [entry.url, addressIn(entry, tools)];
      const name = nameFor(entry.label, assistant.names);
      return connection ? [{name, url, entry: value, connection, ...(narrowed === url ? {} : {narrowed})}] : [];
    });
    return managed
      .files(place, servers, registry)
      .flatMap(file => file.handling.map(handling => kitFileOf(file, handling, system)));
  });
};

const kitFileOf = (
  {path, text, does, evidence, seenWith}: ManagedFile,
  handling: Handling,
  system: System,
): KitFile => ({
  path: `${machinesOf(handling, system)}/${rooted(path)}`,
  text,
  does,
  checked: checkedBy(evidence, seenWith),
});

const checkedBy = (evidence: ManagedFile['evidence'], seenWith: string | undefined): string => {
  if (evidence === 'run')
    return `Tried with version ${seenWith}: these servers work, and a server that is not listed is refused.`;
  return seenWith === undefined
    ? 'Taken from the vendor’s documentation; not tried on this system.'
    : `The policies took effect in ${seenWith}. According to the vendor’s documentation, this file is read; that was not tried.`;
};

/** Turns an absolute path of a machine into one below a directory. */
const rooted = (path: string): string =>
  path
    .replace(/^[A-Z]:/i, '')
    .replaceAll('\\', '/')
    .replace(/^\/+/, '');
