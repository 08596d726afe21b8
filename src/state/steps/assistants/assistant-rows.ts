import {ruleMaker} from '../../../assistants/rules.ts';
import type {Method} from '../../../domain/context.ts';
import {pathBelow} from '../../../domain/paths.ts';
import {duration} from '../../../text.ts';
import {showPath} from '../../derived/show-path.ts';
import {anyClientOf, connectedOf, methodFor} from '../../derived/targets.ts';
import type {Settings, WizardState} from '../../model.ts';
import type {AssistantSelection} from '../../selection.ts';
import type {AssistantRow, Selecting} from '../../view/view.ts';

/** Every assistant, those that are here first, as it would be connected. `now` is in milliseconds since the epoch. */
export const assistantRows = (
  state: WizardState,
  {ticked, scope, method, keepsConnected}: Selecting,
  now: number,
): readonly AssistantRow[] => {
  const {settings, facts} = state;
  const {found = [], token} = facts;
  const connected = connectedOf(state);
  const left = token?.expiresAt === undefined ? undefined : token.expiresAt - now;
  const rankOf = rankIn(settings);
  return found
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map(({id, name, installed, version, paths, methods, blockedBy, providedBy}) => {
      const [isConnected, isTicked] = [connected.includes(id), ticked.has(id)];
      const kept = keepsConnected ? (settings.saved?.entries ?? []).filter(one => one.assistant === id) : [];
      const [entry] = kept;
      const path = shownPath(entry?.path ?? paths[scope] ?? paths.user ?? paths.project ?? '', settings);
      const others = kept.length > 1 ? `; ${kept.length - 1} more` : '';
      const isBlocked = installed && blockedBy !== undefined && !isConnected;
      const isWritten = isTicked || (installed && !isConnected);
      return {
        ...{id, name, isNear: installed || isConnected || isTicked},
        ...(version ? {version} : {}),
        ...(installed && providedBy !== undefined
          ? {effect: `connected by your organisation: ${showPath(providedBy, settings)}`}
          : isBlocked
            ? {effect: `blocked by ${ruleMaker(blockedBy, settings.place)}: ${showPath(blockedBy, settings)}`}
            : isWritten
              ? {
                  path,
                  effect: `${keepingOf(entry?.method ?? methodFor(method, methods), left, token?.renewable ?? true)}${others}`,
                }
              : {effect: isConnected ? 'will be removed' : 'not found here'}),
      };
    });
};

/** Below the project by what comes after it: the screen says which project is meant. */
const shownPath = (path: string, settings: Settings): string => {
  const {project, system} = settings.place;
  const below = settings.demo ? undefined : pathBelow(path, project);
  return below === undefined ? showPath(path, settings) : `.${system === 'win32' ? '\\' : '/'}${below}`;
};

/** Any client's own file stands below those that are here, above those that are not. */
const rankIn =
  (settings: Settings) =>
  ({id, installed}: {id: string; installed: boolean}) =>
    installed ? 0 : id === anyClientOf(settings) ? 1 : 2;

/** How long the chosen way keeps assistants signed in: never promised beyond what the identity provider gives. */
export const keepingUp = (
  {facts}: Pick<WizardState, 'facts'>,
  method: AssistantSelection['method'],
  now: number,
): string => {
  const {expiresAt, renewable, signInEndsAt} = facts.token ?? {};
  if (method === 'oauth') return OWN_SIGN_IN;
  const tokenEnds = expiresAt === undefined ? 'with its token' : `in ${duration(expiresAt - now)}`;
  if (method === 'header') return `a token in the file; expires ${tokenEnds}`;
  if (renewable === false) return `not renewed; expires ${tokenEnds}`;
  if (signInEndsAt === undefined) return 'renewed automatically';
  return `renewed automatically; sign in again in ${duration(signInEndsAt - now)}`;
};

/** Why it is never the default: processes that know nothing of one another renew the same sign-in. */
const OWN_SIGN_IN = 'separate in each assistant; with single-use refresh tokens, one window can sign another out';

/** What is not renewed ends with its token, whichever way it is handed over. */
const keepingOf = (method: Method, left: number | undefined, isRenewed: boolean): string => {
  if (method === 'oauth') return 'signs in by itself';
  if (isRenewed && method === 'helper') return 'renews itself';
  if (isRenewed && method === 'bridge') return 'renews itself (bridge)';
  return left === undefined ? 'expires with its token' : `token expires in ${duration(left)}`;
};
