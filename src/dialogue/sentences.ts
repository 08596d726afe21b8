import {duration} from '../duration.ts';
import type {Failure, WizardState} from '../state/model.ts';
import {layoutName, signInName, turnOf} from '../state/names.ts';
import {hasTokenInFile, isUndoable, notesOf, outcomesOf} from '../state/outcome.ts';
import {stageNames, stagesOf} from '../state/receipts.ts';
import {currentStep} from '../state/steps.ts';

/** Where in the wizard this is, in words. */
export const whereabouts = (state: WizardState): string => {
  const stages = stagesOf(state);
  const at = stages.findIndex(({status}) => status === 'current');
  const current = stages[at];
  return current ? `Step ${at + 1} of ${stages.length}: ${stageNames[current.stage]}` : 'The end';
};

/** What a person wants to know before answering the question that is put now. `now` is in milliseconds since the epoch. */
export const aboutQuestion = (state: WizardState, now: number): readonly string[] => {
  const {facts, failure, settings} = state;
  if (failure) return aboutFailure(state, failure);
  switch (currentStep(state).id) {
    case 'unfinished': {
      const {baseDomain, signIn, clientId} = settings.unfinished ?? {};
      return [
        ...(baseDomain ? [`Base domain: ${baseDomain}`] : []),
        ...(signIn ? [`Sign-in: ${signInName[signIn]}`] : []),
        ...(clientId ? [`Client ID: ${clientId}`] : []),
      ];
    }
    case 'home':
      return aboutHome(state, now);
    case 'signed-out':
      return facts.savedSignIn?.state === 'ended' ? [facts.savedSignIn.message] : [];
    case 'deployment':
      return facts.deployment ? [facts.deployment.evidence, ...addressLines(facts.deployment)] : [];
    default:
      return [];
  }
};

const aboutFailure = ({calls}: WizardState, {step, message, remedy, whose}: Failure): readonly string[] => {
  const call = calls.findLast(line => line.step === step && line.answer?.failed);
  const answer = call?.answer;
  return [
    message,
    ...(call && answer ? [`The call was: ${call.method} ${call.url}, ${answer.result}, after ${answer.ms} ms.`] : []),
    `${turnOf[whose]} ${remedy}`,
  ];
};

const aboutHome = ({facts, settings}: WizardState, now: number): readonly string[] => {
  const {savedSignIn} = facts;
  const {saved} = settings;
  if (!savedSignIn || !saved) return [];
  const deployment = [`Deployment: ${saved.baseDomain}, ${layoutName[saved.layout]}`, ...addressLines(saved)];
  if (savedSignIn.state !== 'alive')
    return [`Your sign-in could not be renewed just now, and is kept. ${savedSignIn.message}`, ...deployment];
  const {account, expiresAt, renewable} = savedSignIn.token;
  const left = expiresAt === undefined ? '' : `, ${duration(expiresAt - now)} left`;
  return [`Signed in as ${account}${left}${renewable ? ', renewed when needed' : ''}.`, ...deployment];
};

type Addresses = {readonly controlPlaneUrl: string; readonly observerUrl?: string; readonly authUrl: string};

const addressLines = ({controlPlaneUrl, observerUrl, authUrl}: Addresses): readonly string[] => [
  `Control plane: ${controlPlaneUrl}`,
  observerUrl ? `Observer: ${observerUrl}` : 'There is no observer: assistants cannot read logs, metrics or traces.',
  `Identity provider: ${authUrl}`,
];

/** The end: what answered, until when, and what to say first. `now` is in milliseconds since the epoch. */
export const farewell = (state: WizardState, now: number): readonly string[] => {
  const {facts, settings} = state;
  const {token} = facts;
  const outcomes = outcomesOf(state);
  const left = token?.expiresAt === undefined ? undefined : duration(token.expiresAt - now);
  return [
    outcomes.length > 0
      ? 'Done: the servers answer through what was written.'
      : `You are signed in as ${token?.account}.`,
    ...outcomes.map(({assistant, text, path}) => `${assistant}: ${text}, through ${path}`),
    ...(left && hasTokenInFile(state) ? [`The token in these entries is good for ${left}.`] : []),
    ...notesOf(state),
    ...(settings.demo
      ? ['This was the sandbox, and it ends when you leave. For real: npx setup']
      : [
          ...(outcomes.length > 0 ? ['Ask your assistant: Which projects do I have, and is anything failing?'] : []),
          ...(isUndoable(state) ? ['Undo everything with: npx setup undo'] : []),
        ]),
  ];
};
