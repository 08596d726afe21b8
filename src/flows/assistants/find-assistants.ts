import type {Assistant} from '../../assistants/assistant.ts';
import {methodsOf} from '../../assistants/methods.ts';
import type {Place} from '../../assistants/place.ts';
import {readVersion} from '../../assistants/versions.ts';
import type {Context, Method, Scope} from '../../domain/context.ts';
import {isBelowLocalhost} from '../../ports/network/route.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {FIRST_VERSION_TIMEOUT, VERSION_TIMEOUT} from '../time-limits.ts';
import {locate} from './assistant-file.ts';
import {createdIn, hasLeftFiles} from './installed-assistants.ts';

/** The facts about one assistant on this machine. */
export type FoundAssistant = {
  readonly id: string;
  readonly name: string;
  readonly installed: boolean;
  /** Absent if it has no command that reports its version. */
  readonly version?: string;
  /**
   * The file that would be written, by scope. A scope is absent if the assistant does not have it, or if a new file of
   * that scope would replace other settings.
   */
  readonly paths: Readonly<Partial<Record<Scope, string>>>;
  /** The methods by which it can be kept connected, the best first. */
  readonly methods: readonly Method[];
  /** The file with which an organisation keeps it from using the servers, by every method. */
  readonly blockedBy?: string;
  /** The file with which an organisation has connected it to the servers: nothing is written for it. */
  readonly providedBy?: string;
};

type Input = {
  readonly assistants: readonly Assistant[];
  readonly place: Place;
  /** Whether the person's programs may be asked for their version. */
  readonly commands: boolean;
  /** The addresses of the servers to connect. */
  readonly urls: readonly string[];
};

/** Looks for all assistants in parallel: by the files that they leave, and by their commands. Never fails. */
export const findAssistants: Flow<Input, readonly FoundAssistant[]> = (input, run) =>
  stoppable(run, async ({ports, signal, tell}) => {
    const {contexts} = await ports.config.read().catch(() => ({contexts: []}));
    const all = await Promise.all(
      // An assistant of another system has no file here.
      input.assistants
        .filter(one => hasFiles(one, input.place))
        .map(async assistant => {
          const found = await findAssistant(assistant, {...input, contexts}, ports, signal);
          const {id, name, version, installed} = found;
          if (installed) tell({type: 'assistant-found', id, name, ...(version ? {version} : {})});
          return found;
        }),
    );
    // One that is connected is here, even if nothing but its entries shows it.
    const isNobodyHere =
      all.every(({installed}) => !installed) && contexts.every(({entries = []}) => entries.length === 0);
    if (isNobodyHere) tell({type: 'no-assistant-found'});
    await ports.versions.keep();
    return all;
  });

const hasFiles = ({files}: Assistant, place: Place): boolean =>
  (['user', 'project'] as const).some(scope => files(scope, place).length > 0);

/**
 * Whether an assistant already has an entry with a helper; with `belowLocalhost`, one to an address below `localhost`.
 * Its version supported that when the entry was written.
 */
const isHelped = ({id}: Assistant, contexts: readonly Context[], belowLocalhost: boolean): boolean =>
  contexts.some(
    ({controlPlaneUrl, entries = []}) =>
      (!belowLocalhost || isBelowLocalhost(new URL(controlPlaneUrl).hostname)) &&
      entries.some(({assistant, method}) => assistant === id && method === 'helper'),
  );

const findAssistant = async (
  assistant: Assistant,
  {place, commands, urls, contexts}: Input & {readonly contexts: readonly Context[]},
  ports: Ports,
  signal: AbortSignal,
): Promise<FoundAssistant> => {
  const {id, name} = assistant;
  const created = createdIn(contexts);
  const [hasTraces, asked, paths] = await Promise.all([
    hasLeftFiles(assistant, place, created, ports),
    commands ? askVersion(assistant, ports, signal) : undefined,
    pathsOf(assistant, place, ports),
  ]);
  const belowLocalhost = urls.some(url => isBelowLocalhost(new URL(url).hostname));
  const version = asked === undefined ? undefined : readVersion(asked);
  const methods = methodsOf(assistant, version, belowLocalhost);
  return {
    id,
    name,
    installed: hasTraces || asked !== undefined,
    ...(version ? {version} : {}),
    paths,
    methods:
      version === undefined && asked !== undefined && isHelped(assistant, contexts, belowLocalhost)
        ? [...new Set<Method>(['helper', ...methods])]
        : methods,
  };
};

/**
 * Returns what a program prints for `--version`, or what it printed earlier if it does not answer now; empty if it
 * never answered. Undefined if there is no program of that name, or if it is another program.
 */
const askVersion = async (
  {command, namesake, helperSince}: Assistant,
  {processes, versions}: Ports,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (command === undefined) return undefined;
  const program = await processes.find(command);
  if (program === undefined) return undefined;
  const known = await versions.get(program);
  // If the assistant's answer comes too late, its stored answer is used, so less time is enough.
  const timeout = known === undefined && helperSince !== undefined ? FIRST_VERSION_TIMEOUT : VERSION_TIMEOUT;
  const result = await processes.run(command, ['--version'], {timeout, signal});
  if (result.outcome === 'missing') return undefined;
  if (result.outcome !== 'exited') return known ?? '';
  if (namesake?.test(`${result.stdout}\n${result.stderr}`)) return undefined;
  if (readVersion(result.stdout)) versions.put(program, result.stdout);
  return result.stdout;
};

const pathsOf = async (assistant: Assistant, place: Place, ports: Ports): Promise<FoundAssistant['paths']> => {
  const scopes = (['user', 'project'] as const).filter(scope => assistant.files(scope, place).length > 0);
  const located = scopes.map(async scope => {
    const path = await locate({assistant, scope}, place, ports);
    const isHarmless = assistant.losesByNew?.(scope) === undefined || (await ports.files.exists(path));
    return isHarmless ? [[scope, path] as const] : [];
  });
  return Object.fromEntries((await Promise.all(located)).flat());
};
