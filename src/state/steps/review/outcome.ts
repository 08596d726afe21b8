import type {Target} from '../../../flows/assistants/assistant-entry.ts';
import type {VerifiedServer} from '../../../flows/assistants/verify-entries.ts';
import {duration} from '../../../text.ts';
import {contextCommand} from '../../derived/context-command.ts';
import {ownCliName} from '../../derived/own-cli.ts';
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

/** Everything that the last screen tells of assistants. */
export const shownOutcomes = (state: WizardState): readonly Outcome[] => [
  ...outcomesOf(state),
  ...givenOutcomes(state),
];

const describe = ({server, tools}: VerifiedServer) => `${shortServerName[server]} ${tools} tools`;

/** What the clients still ask of the person, each sentence once. */
export const notesOf = (state: WizardState): readonly string[] => {
  const {facts, settings} = state;
  const {withoutRole, providerFault} = facts.check ?? {};
  // Here nothing can be tried again: the command that finds out stands below.
  const faults = [
    ...otherAccount(state),
    ...(withoutRole ? [withoutRole.message, withoutRole.remedy] : []),
    ...(providerFault ? [providerFault.message] : []),
  ];
  if (settings.demo || !facts.written) return faults;
  const name = facts.plannedCli ? ownCliName(state) : undefined;
  return [
    ...faults,
    ...disconnected(state).map(name => `${name} is disconnected: its entries were removed.`),
    ...new Set(
      targetsOf(state)
        .targets.filter(target => isChanged(state, target))
        .flatMap(({assistant, scope, method}) => assistant.afterwards(scope, method)),
    ),
    ...readersBeside(state),
    ...(name === undefined
      ? []
      : [
          `${name} is signed in too${facts.plannedCli?.isTokenAlone ? ', until its token expires' : ''}: ${name} component list.`,
        ]),
  ];
};

/** That another person is signed in than before, whose account every entry uses from now on. */
const otherAccount = ({facts, settings, answers}: WizardState): readonly string[] => {
  const {resume} = answers;
  const isSame = settings.login === true || (resume !== undefined && resume !== 'anew');
  const former = isSame ? settings.saved?.account : undefined;
  const account = facts.token?.account;
  return former === undefined || account === undefined || account === former
    ? []
    : [`You are now signed in as ${account} (previously ${former}).`];
};

/** The names of the assistants that lost their entries in this run and got no others. */
const disconnected = (state: WizardState): readonly string[] => {
  const {facts, settings} = state;
  const connected = targetsOf(state).targets.map(({assistant}) => assistant.id);
  const ids = new Set(facts.plan?.removed?.map(({assistant}) => assistant).filter(id => !connected.includes(id)));
  return [...ids].map(id => settings.assistants.find(one => one.id === id)?.name ?? id);
};

/** Who is here and has the servers by the entries of another one, without any of its own. */
const readersBeside = (state: WizardState): readonly string[] => {
  const {facts, settings} = state;
  const {targets} = targetsOf(state);
  const changed = targets.filter(target => isChanged(state, target));
  return settings.assistants.flatMap(({id, name, readsToo}) => {
    const isHere = facts.found?.some(one => one.id === id && one.installed) ?? false;
    if (!readsToo || !isHere || targets.some(({assistant}) => assistant.id === id)) return [];
    const read = changed.filter(({assistant, scope}) => readsToo(scope).includes(assistant.id));
    const names = read.map(({assistant}) => assistant.name);
    return names.length > 0
      ? [`${name} also reads the entries of ${names.join(' and ')}, so it needs none of its own.`]
      : [];
  });
};

/** Whether the file of an assistant is another than before: who reads it need not be started again where it is not. */
const isChanged = ({facts: {plan, verified = []}}: WizardState, {assistant}: Target): boolean => {
  const own = verified.filter(one => one.assistant === assistant.name).map(({path}) => path);
  const files = plan?.files.filter(({path}) => own.includes(path)) ?? [];
  return files.length === 0 || files.some(({change}) => change !== 'unchanged');
};

/**
 * Whether anything was written that could be put back. What this program knows of a deployment that it knew before is put
 * back with the run before, and not by itself.
 */
export const isUndoable = ({facts}: WizardState): boolean =>
  facts.plan?.files.some(({change, isOwn}) => change !== 'unchanged' && !(isOwn && change === 'changed')) ?? false;

/** Whether a token stands in an entry, and so ends. */
export const hasTokenInFile = (state: WizardState): boolean =>
  state.facts.written !== undefined && targetsOf(state).targets.some(({method}) => method === 'header');

/** The entries that hold a token, by their assistants where others hold none. */
const entriesWithToken = (state: WizardState): string => {
  const {targets} = targetsOf(state);
  const own = targets.filter(({method}) => method === 'header').map(({assistant}) => assistant.name);
  return own.length === targets.length ? 'these entries' : `the entries of ${own.join(' and ')}`;
};

/** What ends, and what to do then: tokens that stand in entries, and a sign-in that is not renewed for ever. */
export const endsIn = (state: WizardState, now: number): DoneView['next'] => {
  const {expiresAt} = state.facts.token ?? {};
  const ends = signInEnd(state);
  const left = (at: number) => duration(at - now);
  // Nothing renews it then, however long the sign-in would last.
  if (expiresAt !== undefined && state.facts.check?.providerFault)
    return [
      {
        before: `Access ends in ${left(expiresAt)} unless your sign-in can be renewed. Find out why with `,
        strong: contextCommand(state, 'doctor'),
      },
    ];
  return [
    ...(expiresAt !== undefined && hasTokenInFile(state)
      ? [
          {
            before: `The token in ${entriesWithToken(state)} expires in ${left(expiresAt)}. Renew it with `,
            strong: contextCommand(state, 'mcp connect'),
          },
        ]
      : []),
    ...(ends === undefined
      ? []
      : [{before: `Your sign-in ends in ${left(ends)}. To sign in again, run `, strong: contextCommand(state)}]),
  ];
};

/** When the person has to sign in again, in milliseconds since the epoch; undefined where that is not known to be. */
export const signInEnd = ({facts}: WizardState): number | undefined => {
  const {expiresAt, renewable, signInEndsAt} = facts.token ?? {};
  return signInEndsAt ?? (renewable === false ? expiresAt : undefined);
};
