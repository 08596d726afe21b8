import type {Assistant} from '../../assistants/assistant.ts';
import {bearerIn, type Connection} from '../../assistants/connection.ts';
import type {Place} from '../../assistants/place.ts';
import type {AccountContent} from '../../domain/account-content.ts';
import type {Context, ContextEntry} from '../../domain/context.ts';
import type {McpEntry} from '../../domain/mcp-servers.ts';
import type {OwnCommand} from '../../domain/own-command.ts';
import {Secret} from '../../domain/secret.ts';
import {expiryOf} from '../../domain/tokens.ts';
import {familyOf, SetupError} from '../../errors/errors.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Flow} from '../flow.ts';
import {savedEntriesOf} from '../saved-entries.ts';
import {nameFor} from './assistant-entry.ts';
import {readEntries} from './assistant-file.ts';
import {refusedEntry, verifyEntries} from './verify-entries.ts';

type Asked = {
  readonly context: Context;
  readonly assistants: readonly Assistant[];
  readonly place: Place;
  readonly own: OwnCommand;
};

/** An entry that leads to the control plane, and what the account sees through it. */
export type SeenThroughEntry = {
  /** The assistant's name. */
  readonly assistant: string;
  readonly path: string;
  readonly content?: AccountContent;
};

/**
 * Asks the control plane what the account sees through the first saved entry that an assistant would use, in the way
 * that the entry says. Returns undefined if there is none: an assistant that signs in by itself has a token of its own,
 * an entry with an expired token is known to fail, and an entry that this program would not write is not started.
 *
 * @throws SetupError `local-entry-failed`, `auth-token-refused`, `platform-*`, `network-*`
 */
export const askThroughEntry: Flow<Asked, SeenThroughEntry | undefined> = async (asked, run) => {
  const {context, place, own} = asked;
  const entries = savedEntriesOf(context, platformOfDeployment(context)).filter(one => one.server === 'control-plane');
  for (const saved of context.entries ?? []) {
    const assistant = asked.assistants.find(({id}) => id === saved.assistant);
    if (!assistant) continue;
    const {scope, method, tools} = saved;
    const target = {assistant, scope, method, renews: saved, ...(tools === undefined ? {} : {tools})};
    // No token is needed here: the entry has its own way to get one.
    const tokens = {signIn: new Secret('')};
    let entry: Tried | undefined;
    try {
      entry = await entryToTry(saved, assistant, entries, run.ports);
      if (!entry) continue;
      const [seen] = await verifyEntries({targets: [target], place, entries, own, context: context.name, tokens}, run);
      if (seen) return {assistant: seen.assistant, path: seen.path, ...(seen.content ? {content: seen.content} : {})};
    } catch (error) {
      // The list of entries reports what is wrong with a file.
      const isAboutFile = error instanceof SetupError && familyOf(error.code) === 'local';
      if (isAboutFile && error.code !== 'local-entry-failed') continue;
      throw entry ? refusedEntry(error, entry) : error;
    }
  }
  return undefined;
};

type Tried = {readonly name: string; readonly path: string; readonly connection: Connection};

/** Returns the entry of the control plane in an assistant's file; undefined if trying it would show nothing. */
const entryToTry = async (
  {path, method, names}: ContextEntry,
  assistant: Assistant,
  wanted: readonly McpEntry[],
  ports: Ports,
): Promise<Tried | undefined> => {
  const name = wanted.map(({label}) => nameFor(label, assistant.names)).find(one => names.includes(one));
  if (name === undefined || method === 'oauth') return undefined;
  const connection = assistant.entry.read((await readEntries(assistant, path, ports))[name]);
  if (!connection) return undefined;
  const ends = connection.kind === 'header' ? expiryOf(bearerIn(connection)) : undefined;
  return ends === undefined || ends > ports.clock.now() ? {name, path, connection} : undefined;
};
