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

/** The rules in an organisation's files for the servers of an assistant. */
export type OrganisationRules = {
  /** Returns the file that keeps the assistant from using an entry; undefined if none does. */
  blockedBy(entry: RuledEntry): string | undefined;
  /**
   * Returns the entry with which the organisation has connected the assistant to a context's server, if there is one.
   */
  providedBy(entry: McpEntry, context: string): Provided | undefined;
};

type Provided = {readonly path: string; readonly name: string; readonly connection: Connection};

const nothing: OrganisationRules = {blockedBy: () => undefined, providedBy: () => undefined};

/**
 * Reads what an organisation lets an assistant use, and what it gives to it. A file that is missing or unreadable has
 * no rules.
 */
export const readRules = async (
  {rules, entry: {read}}: Assistant,
  place: Place,
  {files}: Ports,
): Promise<OrganisationRules> => {
  if (!rules) return nothing;
  const directory = rules.directory?.(place);
  const more = directory === undefined ? [] : await files.list(directory);
  const names = more.filter(name => name.endsWith('.json')).toSorted();
  const paths = [...rules.files(place), ...names.map(name => join(directory ?? '', name))];
  const found = await Promise.all(paths.map(path => files.read(path).catch(() => undefined)));
  if (found.every(contents => contents === undefined)) return nothing;
  // Loaded here: most machines have no such rules, and the parsers are large.
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
          // The file that gives a server may forbid all others, but the rules of the other files apply to that server
          // too.
          const others = values.with(index, undefined);
          return Object.entries(rules.gives?.(alone(index)) ?? {}).flatMap(([name, entry]) => {
            const connection = read(entry);
            const isGiven =
              leadsTo(connection, wanted, context) && connection && !rules.blocks(others, {name, connection});
            return isGiven ? [{path, name, connection}] : [];
          });
        })
        .at(0),
  };
};

/** The error when an assistant may not use the entries in its file. */
export const blocked = ({name, rules}: Assistant, path: string, blockedBy: string, place: Place): SetupError => {
  const who = ruleMaker(blockedBy, rules, place);
  const message = `These servers are blocked in ${name} by ${who} (${blockedBy}).`;
  return new SetupError('local-entry-blocked', message, {about: {path}});
};

type Input = Pick<Means, 'place' | 'own' | 'context'> & {
  readonly assistants: readonly Assistant[];
  readonly found: readonly FoundAssistant[];
  /** The entries to connect. */
  readonly entries: readonly McpEntry[];
  /** The IDs of the assistants that are already connected: they are not left out. */
  readonly connected: readonly string[];
};

/**
 * Limits the found assistants to what an organisation allows: keeps the methods by which an assistant may use the
 * entries. An assistant without such a method names the file that blocks it; an assistant that the organisation has
 * already connected names the file that connects it.
 */
export const applyRules: Flow<Input, readonly FoundAssistant[]> = (input, run) =>
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

/**
 * Returns the file with which an organisation has connected an assistant to these servers; undefined if it lacks one of
 * them.
 */
export const providerOf = (
  entries: readonly McpEntry[],
  context: string,
  {providedBy}: Pick<OrganisationRules, 'providedBy'>,
): string | undefined => {
  const all = entries.map(entry => providedBy(entry, context));
  return all.includes(undefined) ? undefined : all[0]?.path;
};

const blockOf = (
  target: Pick<Target, 'assistant' | 'scope' | 'method' | 'oauthClient' | 'tools'>,
  {entries, ...means}: Means & Pick<Input, 'entries'>,
  {blockedBy}: Pick<OrganisationRules, 'blockedBy'>,
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
 * Refuses to write for an assistant that may not use its entries. An organisation may allow only one exact address or
 * command. When the assistants were found, the entry with all tools was checked; an entry with fewer tools has another
 * address or command.
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
