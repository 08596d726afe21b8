import {documented, generic} from '../../../assistants/catalogue/generic.ts';
import type {Target, VerifiedServer} from '../../../flows/assistants/entry.ts';
import {SETUP} from '../../../setup-command.ts';
import {ownCliName} from '../../derived/own-cli.ts';
import {isLogin} from '../../derived/purpose.ts';
import {showPath} from '../../derived/show-path.ts';
import {targetsOf} from '../../derived/targets.ts';
import type {WizardState} from '../../model.ts';
import {shortServerName} from '../../view/names.ts';
import type {DoneView, Outcome} from '../../view/view.ts';

/** One for each assistant: the tools of each server, and the file that it reads. */
export const outcomesOf = ({facts, settings}: WizardState): readonly Outcome[] => {
  const groups = Map.groupBy(facts.verified ?? [], ({assistant, path}) => `${assistant} ${path}`);
  return [...groups.values()].flatMap(servers => {
    const [first] = servers;
    if (!first) return [];
    const path = showPath(first.path, settings);
    return [{assistant: first.assistant, path, text: servers.map(describe).join(', ')}];
  });
};

/** Those that a file of the organisation's has connected, which nothing was written for. */
export const givenOutcomes = ({facts, settings}: WizardState): readonly Outcome[] =>
  (facts.found ?? []).flatMap(({id, installed, providedBy}) => {
    const assistant = settings.assistants.find(one => one.id === id);
    if (!assistant || !installed || providedBy === undefined) return [];
    return [{assistant: assistant.name, path: showPath(providedBy, settings), text: 'connected by your organisation'}];
  });

/**
 * What a run has come to, in one line: what works, and nothing that was left out.
 *
 * @param where what can be reached, in words
 */
export const headlineOf = (state: WizardState, where = 'the platform'): string => {
  const {check, token} = state.facts;
  const shown = shownOutcomes(state);
  if (check?.withoutRole)
    return shown.length > 0
      ? 'Connected, but the account has no role yet'
      : 'Signed in, but the account has no role yet';
  if (shown.length === 0) return `You are signed in as ${token?.account}`;
  if (state.answers.resume === 'renew' && !state.answers.signInAnew)
    return 'Everything works. Every entry is up to date.';
  if (isLogin(state)) return 'Signed in again. Every entry works.';
  // A file for clients that are not here connects nobody yet.
  return isForNobodyYet(state)
    ? 'mcp.json is ready for your MCP client'
    : `All set: your assistants can reach ${where}`;
};

/** Whether all that was written is the file that most clients can use, and no client here reads. */
const isForNobodyYet = (state: WizardState): boolean =>
  shownOutcomes(state).every(({assistant}) => [generic.name, documented.name].includes(assistant));

/** What is left to do about assistants that are not connected, with the command that does it. */
export const leftToConnect = (state: WizardState): DoneView['next'] => {
  const {answers, settings} = state;
  if (isLogin(state)) return [];
  const left = (answers.connect?.leftOut ?? []).flatMap(id => settings.assistants.find(one => one.id === id) ?? []);
  if (left.length > 0) {
    const names = left.map(({name}) => name).join(' and ');
    const command = `${SETUP} mcp connect ${left.map(({id}) => id).join(' ')}`;
    return [
      {before: `${names} ${left.length === 1 ? 'is' : 'are'} not connected. To connect later: `, strong: command},
    ];
  }
  if (shownOutcomes(state).length === 0) {
    return [{before: 'No assistant is connected. To connect some: ', strong: `${SETUP} mcp connect`}];
  }
  if (!isForNobodyYet(state)) return [];
  const [{path = ''} = {}] = shownOutcomes(state);
  return [{before: 'Setup does not know which client that is. Have it read ', strong: path}];
};

/** Everything that the last screen tells of assistants. */
export const shownOutcomes = (state: WizardState): readonly Outcome[] => [
  ...outcomesOf(state),
  ...givenOutcomes(state),
];

const describe = ({server, tools}: VerifiedServer) => `${shortServerName[server]} ${tools} tools`;

/** What the clients still ask of the person, each sentence once. */
export const notesOf = (state: WizardState): readonly string[] => {
  const {facts, settings} = state;
  const {withoutRole} = facts.check ?? {};
  const role = withoutRole ? [withoutRole.message, withoutRole.remedy] : [];
  if (settings.demo || !facts.written) return role;
  const name = facts.plannedCli ? ownCliName(state) : undefined;
  return [
    ...role,
    ...new Set(
      targetsOf(state)
        .targets.filter(target => isChanged(state, target))
        .flatMap(({assistant, scope, method}) => assistant.afterwards(scope, method)),
    ),
    ...(name === undefined ? [] : [`${name} is signed in too: ${name} component list.`]),
  ];
};

/** Whether the file of an assistant is another than before: who reads it need not be started again where it is not. */
const isChanged = ({facts: {plan, verified = []}}: WizardState, {assistant}: Target): boolean => {
  const own = verified.filter(one => one.assistant === assistant.name).map(({path}) => path);
  const files = plan?.files.filter(({path}) => own.includes(path)) ?? [];
  return files.length === 0 || files.some(({change}) => change !== 'unchanged');
};

/** Whether anything was written that could be put back. */
export const isUndoable = ({facts}: WizardState): boolean =>
  facts.plan?.files.some(({change}) => change !== 'unchanged') ?? false;

/** Whether a token stands in an entry, and so ends. */
export const hasTokenInFile = (state: WizardState): boolean =>
  state.facts.written !== undefined && targetsOf(state).targets.some(({method}) => method === 'header');
