import {join} from 'node:path';
import type {Assistant} from '../../assistants/assistant.ts';
import type {Connection} from '../../assistants/connection.ts';
import type {Place} from '../../assistants/place.ts';
import {type RuledEntry, ruleMaker} from '../../assistants/rules.ts';
import type {McpEntry} from '../../domain/mcp-servers.ts';
import {Secret} from '../../domain/secret.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {entryFor, leadsTo, type Means, nameFor, type Target} from './assistant-entry.ts';
import type {FoundAssistant} from './find-assistants.ts';

/** What an organisation's files say of the servers of a client. */
export type Ruling = {
  /** The file that keeps it from using an entry; undefined where none does. */
  blockedBy(entry: RuledEntry): string | undefined;
  /** The entry by which the organisation has connected it to a server of a context; undefined where none is. */
  providedBy(entry: McpEntry, context: string): Provided | undefined;
};

type Provided = {readonly path: string; readonly name: string; readonly connection: Connection};

const nothing: Ruling = {blockedBy: () => undefined, providedBy: () => undefined};

/** Reads what an organisation lets a client use, and gives it. What is not there or cannot be read says nothing. */
export const readRules = async ({rules, entry: {read}}: Assistant, place: Place, {files}: Ports): Promise<Ruling> => {
  if (!rules) return nothing;
  const directory = rules.directory?.(place);
  const more = directory === undefined ? [] : await files.list(directory);
  const names = more.filter(name => name.endsWith('.json')).toSorted();
  const paths = [...rules.files(place), ...names.map(name => join(directory ?? '', name))];
  const found = await Promise.all(paths.map(path => files.read(path).catch(() => undefined)));
  if (found.every(contents => contents === undefined)) return nothing;
  // Loaded here: on most machines nobody says anything, and the parsers are large.
  const {parseWithinLimits} = await import('../../assistants/editors/parse-values.ts');
  const values = found.map(contents => contents && parseWithinLimits(contents.bytes.toString('utf8'), rules.language));
  const alone = (at: number) => values.map((value, index) => (index === at ? value : undefined));
  return {
    blockedBy: entry => {
      if (!rules.blocks(values, entry)) return undefined;
      const culprit = values.findIndex((value, index) => value !== undefined && rules.blocks(alone(index), entry));
      return paths[culprit] ?? paths[values.findIndex(value => value !== undefined)];
    },
    providedBy: (wanted, context) =>
      paths
        .flatMap((path, index) => {
          // The file that gives a server may forbid all others; what the rest of them says counts for that one too.
          const others = values.with(index, undefined);
          return Object.entries(rules.gives?.(alone(index)) ?? {}).flatMap(([name, given]) => {
            const connection = read(given);
            const isGiven =
              leadsTo(connection, wanted, context) && connection && !rules.blocks(others, {name, connection});
            return isGiven ? [{path, name, connection}] : [];
          });
        })
        .at(0),
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
 * entries. An assistant that may in none says which file keeps it from that; one that the organisation has connected
 * already, by which file.
 */
export const withinRules: Flow<Input, readonly FoundAssistant[]> = (input, run) =>
  stoppable(run, async ({ports, tell}) =>
    Promise.all(
      input.found.map(async found => {
        const assistant = input.assistants.find(({id}) => id === found.id);
        if (!assistant?.rules) return found;
        const ruling = await readRules(assistant, input.place, ports);
        const providedBy = providerOf(input.entries, input.context, ruling);
        if (providedBy !== undefined) {
          const {id, name, installed} = found;
          if (installed) tell({type: 'assistant-provided', id, name, path: providedBy});
          return {...found, providedBy};
        }
        const means = {...input, tokens: {signIn: new Secret('')}};
        const blocks = found.methods.map(method =>
          blockOf({assistant, method, scope: 'user', oauthClient: ''}, means, ruling),
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

/** The file by which an organisation has connected a client to all of these servers; undefined where to some of them. */
export const providerOf = (
  entries: readonly McpEntry[],
  context: string,
  {providedBy}: Pick<Ruling, 'providedBy'>,
): string | undefined => {
  const all = entries.map(entry => providedBy(entry, context));
  return all.includes(undefined) ? undefined : all[0]?.path;
};

const blockOf = (
  target: Pick<Target, 'assistant' | 'scope' | 'method' | 'oauthClient' | 'tools'>,
  {entries, ...means}: Means & Pick<Input, 'entries'>,
  {blockedBy}: Pick<Ruling, 'blockedBy'>,
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
      const ruling = tools ? await readRules(assistant, means.place, ports) : nothing;
      const found = target.blockedBy ?? blockOf(target, {entries, ...means}, ruling);
      if (found !== undefined) throw blocked(assistant, path, found, means.place);
    }
  }
};
