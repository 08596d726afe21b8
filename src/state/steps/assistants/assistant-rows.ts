import {ruleMaker} from '../../../assistants/rules.ts';
import type {Method} from '../../../domain/context.ts';
import {pathBelow} from '../../../domain/paths.ts';
import {duration} from '../../../text.ts';
import {anyClientOf, connectedOf, entriesBefore, methodFor} from '../../derived/wizard-targets.ts';
import type {Settings, WizardState} from '../../model.ts';
import type {AssistantSelection} from '../../selection.ts';
import {showPath} from '../../view/names.ts';
import type {AssistantRow, Selecting} from '../../view/view.ts';

/** Returns a row for every assistant as it would be connected, installed ones first. `now`: in ms since the epoch. */
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
      const entries = keepsConnected ? entriesBefore(state).filter(one => one.assistant === id) : [];
      const [entry] = entries;
      const path = shownPath(entry?.path ?? paths[scope] ?? paths.user ?? paths.project ?? '', settings);
      const others = entries.length > 1 ? `; ${entries.length - 1} more` : '';
      const isBlocked = installed && blockedBy !== undefined && !isConnected;
      const isWritten = isTicked || (installed && !isConnected);
      return {
        ...{id, name, isNear: installed || isConnected || isTicked},
        ...(version ? {version} : {}),
        ...(installed && providedBy !== undefined
          ? {effect: `connected by your organisation: ${showPath(providedBy, settings)}`}
          : isBlocked
            ? {effect: `blocked by ${makerOf(id, blockedBy, settings)}: ${showPath(blockedBy, settings)}`}
            : isWritten
              ? {
                  path,
                  effect: `${keepingOf(entry?.method ?? methodFor(method, methods), left, token?.renewable ?? true)}${others}`,
                }
              : {effect: isConnected ? 'will be removed' : 'not found here'}),
      };
    });
};

/** Returns whose rules in this file are about the assistant, in words. */
const makerOf = (id: string, path: string, {assistants, place}: Settings): string =>
  ruleMaker(path, assistants.find(one => one.id === id)?.rules, place);

/** Returns a path for the screen: relative to the project if the path is in it and it is the working directory. */
const shownPath = (path: string, settings: Settings): string => {
  const {project, system} = settings.place;
  const below = settings.demo || settings.place.isElsewhere ? undefined : pathBelow(path, project);
  return below === undefined ? showPath(path, settings) : `.${system === 'win32' ? '\\' : '/'}${below}`;
};

/** Ranks the file for any client after the installed assistants and before the others. */
const rankIn =
  (settings: Settings) =>
  ({id, installed}: {id: string; installed: boolean}) =>
    installed ? 0 : id === anyClientOf(settings) ? 1 : 2;

/** Says how long the chosen method keeps assistants signed in. It promises no more than the identity provider gives. */
export const keepingUp = (
  {facts}: Pick<WizardState, 'facts'>,
  method: AssistantSelection['method'],
  now: number,
): string => {
  const {expiresAt, renewable, signInEndsAt} = facts.token ?? {};
  if (method === 'oauth') return OWN_SIGN_IN;
  const tokenEnds = expiresAt === undefined ? 'with its token' : `in ${duration(expiresAt - now)}`;
  if (method === 'header')
    return expiresAt === undefined
      ? 'a token in the file, until it expires'
      : `a token in the file; expires ${tokenEnds}`;
  if (renewable === false) return `not renewed; expires ${tokenEnds}`;
  if (signInEndsAt === undefined) return 'renewed automatically';
  return `renewed automatically; sign in again in ${duration(signInEndsAt - now)}`;
};

/**
 * The method `oauth` in words. It is never the default: processes that do not know of one another would renew the same
 * sign-in.
 */
const OWN_SIGN_IN = 'separate in each assistant; with single-use refresh tokens, one window can sign another out';

/** Says how an entry stays signed in. A sign-in that is not renewed ends with its token, whatever the method. */
const keepingOf = (method: Method, left: number | undefined, isRenewed: boolean): string => {
  if (method === 'oauth') return 'signs in by itself';
  if (isRenewed && method === 'helper') return 'stays signed in';
  if (isRenewed && method === 'bridge') return 'stays signed in (bridge)';
  return left === undefined ? 'expires with its token' : `token expires in ${duration(left)}`;
};
