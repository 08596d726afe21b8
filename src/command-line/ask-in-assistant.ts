import type {ConsentAnswer, ConsentRequest} from '../domain/consent-request.ts';
import {ancestorPidsOf} from '../ports/processes/ancestors.ts';
import {askLocally, localServersIn} from '../ports/processes/local-socket.ts';
import {posixWord} from '../shell-quoting.ts';
import {findOwnPaths} from '../store/own-paths.ts';
import type {Invocation} from './command.ts';

/**
 * Asks the person, through a bridge of the assistant that runs this command, whether the command may act as the person
 * on a context. Returns `accept`, `decline`, `cancel` or `later`; undefined if no assistant can ask.
 */
export const askInAssistant = async (
  context: string,
  invocation: Pick<Invocation, 'words' | 'args' | 'flags' | 'typed' | 'env' | 'signal'>,
): Promise<ConsentAnswer['action']> => {
  const directory = findOwnPaths(invocation.env).bridges;
  const request: ConsentRequest = {context, command: lineOf(invocation)};
  for (const pid of nearestFirst(await localServersIn(directory))) {
    const answer = (await askLocally(directory, pid, request, invocation.signal)) as ConsentAnswer | undefined;
    invocation.signal.throwIfAborted();
    if (answer?.action !== undefined) return answer.action;
  }
  return undefined;
};

/**
 * Orders bridges by how closely they are related to this process. Those of the same assistant come first, because they
 * and this process run under it. If the system does not name the ancestors of processes, the order stays.
 */
const nearestFirst = (pids: readonly number[]): readonly number[] => {
  const own = ancestorPidsOf(process.pid);
  const distance = (pid: number) => {
    const common = ancestorPidsOf(pid).find(ancestor => own.includes(ancestor));
    return common === undefined ? own.length : own.indexOf(common);
  };
  return pids
    .map(pid => ({pid, distance: distance(pid)}))
    .toSorted((one, other) => one.distance - other.distance)
    .map(({pid}) => pid);
};

/** Returns the command as it was typed, without the value of a secret. */
const lineOf = ({words = [], args, flags, typed}: Pick<Invocation, 'words' | 'args' | 'flags' | 'typed'>): string => {
  const given = [...typed].flatMap(name => {
    const value = flags[name];
    return value === true ? [`--${name}`] : [`--${name}`, name === 'client-secret' ? '…' : String(value)];
  });
  return ['setup', ...words, ...args, ...given].map(posixWord).join(' ');
};
