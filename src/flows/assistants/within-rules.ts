import {join} from 'node:path';
import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import {type RuledEntry, ruleMaker} from '../../assistants/rules.ts';
import type {McpEntry} from '../../domain/mcp-servers.ts';
import {Secret} from '../../domain/secret.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Flow} from '../flow.ts';
import {reporting} from '../reporting.ts';
import {entryFor, type Means, nameFor, type Target} from './assistant-entry.ts';
import type {FoundAssistant} from './find-assistants.ts';

/** The file that keeps a client from using an entry; undefined where none does. */
export type BlockedBy = (entry: RuledEntry) => string | undefined;

const never: BlockedBy = () => undefined;

/** Reads what an organisation lets a client use. What is not there or cannot be read blocks nothing. */
export const readRules = async ({rules}: Assistant, place: Place, {files}: Ports): Promise<BlockedBy> => {
  if (!rules) return never;
  const directory = rules.directory?.(place);
  const more = directory === undefined ? [] : await files.list(directory);
  const names = more.filter(name => name.endsWith('.json')).toSorted();
  const paths = [...rules.files(place), ...names.map(name => join(directory ?? '', name))];
  const found = await Promise.all(paths.map(path => files.read(path).catch(() => undefined)));
  if (found.every(contents => contents === undefined)) return never;
  // Loaded here: on most machines nobody says anything, and the parsers are large.
  const {parseValues} = await import('../../assistants/editors/parse-values.ts');
  const values = found.map(contents => contents && parseValues(contents.bytes.toString('utf8'), rules.language));
  return entry => {
    if (!rules.blocks(values, entry)) return undefined;
    const alone = (at: number) => values.map((value, index) => (index === at ? value : undefined));
    const culprit = values.findIndex((value, index) => value !== undefined && rules.blocks(alone(index), entry));
    return paths[culprit] ?? paths[values.findIndex(value => value !== undefined)];
  };
};

/** That a client may not use the entries in its file. */
export const blocked = ({name}: Assistant, path: string, blockedBy: string, place: Place): SetupError => {
  const who = ruleMaker(blockedBy, place);
  const message = `These servers are blocked in ${name} by ${who} (${blockedBy}).`;
  return new SetupError('local-entry-blocked', message, {about: {path}});
};

type Input = Pick<Means, 'place' | 'own' | 'context'> & {
  readonly assistants: readonly Assistant[];
  readonly found: readonly FoundAssistant[];
  /** What is to be connected. */
  readonly entries: readonly McpEntry[];
  /** Those that are connected already, by their IDs: they are not left out. */
  readonly connected: readonly string[];
};

/**
 * What was found, within what an organisation allows: of the ways to connect an assistant those in which it may use the
 * entries. An assistant that may in none says which file keeps it from that.
 */
export const withinRules: Flow<Input, readonly FoundAssistant[]> = (input, ports, signal) =>
  reporting({ports, signal}, async ({tell}) =>
    Promise.all(
      input.found.map(async found => {
        const assistant = input.assistants.find(({id}) => id === found.id);
        if (!assistant?.rules) return found;
        const blockedBy = await readRules(assistant, input.place, ports);
        const means = {...input, tokens: {signIn: new Secret('')}};
        const blocks = found.methods.map(method =>
          blockOf({assistant, method, scope: 'user', oauthClient: ''}, means, blockedBy),
        );
        const methods = found.methods.filter((_, index) => blocks[index] === undefined);
        const [first] = blocks;
        if (methods.length > 0 || first === undefined) return {...found, methods};
        if (found.installed) {
          const {message} = blocked(assistant, '', first, input.place);
          const isLeftOut = !input.connected.includes(found.id);
          tell({type: 'warning', message: isLeftOut ? `${message} It will not be connected.` : message});
        }
        return {...found, blockedBy: first};
      }),
    ),
  );

const blockOf = (
  target: Pick<Target, 'assistant' | 'scope' | 'method' | 'oauthClient' | 'tools'>,
  {entries, ...means}: Means & Pick<Input, 'entries'>,
  blockedBy: BlockedBy,
): string | undefined => {
  const {assistant} = target;
  for (const entry of entries) {
    const connection = assistant.entry.read(entryFor(target, entry, means));
    const name = nameFor(entry.label, assistant.names);
    const block = connection && blockedBy({name, connection});
    if (block !== undefined) return block;
  }
  return undefined;
};

type Planned = {readonly path: string; readonly targets: readonly Target[]};

/**
 * Refuses to write for an assistant that may not use its entries. What an organisation allows may be one very address, or
 * one very command: another one than that with all tools, by which it was looked for.
 *
 * @throws SetupError `local-entry-blocked`
 */
export const refuseBlocked = async (
  files: readonly Planned[],
  {entries, ...means}: Means & Pick<Input, 'entries'>,
  ports: Ports,
): Promise<void> => {
  for (const {path, targets} of files) {
    for (const target of targets) {
      const {assistant, tools} = target;
      const blockedBy = tools ? await readRules(assistant, means.place, ports) : never;
      const found = target.blockedBy ?? blockOf(target, {entries, ...means}, blockedBy);
      if (found !== undefined) throw blocked(assistant, path, found, means.place);
    }
  }
};
