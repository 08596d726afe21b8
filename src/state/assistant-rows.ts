import type {Method} from '../assistants/assistant.ts';
import {generic} from '../assistants/generic.ts';
import {duration} from '../duration.ts';
import {methodFor} from './derived.ts';
import type {Choice, WizardState} from './model.ts';
import {showPath} from './show-path.ts';

/** One assistant as it is offered. */
export type AssistantRow = {
  readonly id: string;
  readonly name: string;
  readonly installed: boolean;
  readonly version?: string;
  /** The file that would be written, as it is shown. */
  readonly path: string;
  /** What becomes of its sign-in, in words. */
  readonly keeping: string;
};

/** Every assistant, those that are here first, as it would be connected. `now` is in milliseconds since the epoch. */
export const assistantRows = (
  {settings, facts}: WizardState,
  {scope, method}: Pick<Choice, 'scope' | 'method'>,
  now: number,
): readonly AssistantRow[] => {
  const {found = [], token} = facts;
  const left = token?.expiresAt === undefined ? undefined : token.expiresAt - now;
  return found
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({id, name, installed, version, paths, methods}) => ({
      id,
      name,
      installed,
      ...(version ? {version} : {}),
      path: showPath(paths[scope] ?? paths.user ?? paths.project ?? '', settings),
      keeping: keepingOf(methodFor(id, method, methods), left),
    }));
};

/** Any client's own file stands below those that are here, above those that are not. */
const rank = ({id, installed}: {id: string; installed: boolean}) => (installed ? 0 : id === generic.id ? 1 : 2);

const keepingOf = (method: Method, left: number | undefined): string => {
  if (method === 'helper') return 'stays signed in';
  if (method === 'bridge') return 'stays signed in, by the bridge';
  return left === undefined ? 'ends with its token' : `ends in ${duration(left)}`;
};
