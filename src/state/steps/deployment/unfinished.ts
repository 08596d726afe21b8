import {answered} from '../../events.ts';
import type {Answers, Unfinished, WizardState} from '../../model.ts';
import {type AskStep, asks} from '../../step.ts';
import {signInName} from '../../view/names.ts';

/** A run that was left before its end is gone on with, or begun anew. */
export const unfinished = {
  id: 'unfinished',
  stage: 'deployment',
  kind: 'ask',
  title: 'Continue where you left off?',
  flag: '--yes',
  when: ({settings}) => settings.unfinished !== undefined,
  done: ({answers}) => answers.begun !== undefined,
  forgets: asks('begun'),
  ask: state => {
    const {hadSecret, savedClient, terms: _, ...answers} = state.settings.unfinished ?? {};
    return {
      type: 'question',
      about: [{type: 'table', rows: knownOf(state)}],
      offers: [
        {
          label: 'Continue where you left off',
          ...hintFor({hadSecret: hasSecrets(state) ? undefined : hadSecret, savedClient}),
          event: answered({...(state.left ? withoutSignIn(answers) : answers), begun: 'go-on'}),
        },
        {label: 'Start over', event: answered({begun: 'anew'})},
      ],
      initial: 0,
    };
  },
} satisfies AskStep;

/** The answers without the way to sign in: who came back from a sign-in is offered to stay signed in first. */
const withoutSignIn = ({signIn: _, signInBy: __, clientId: ___, clientFor: ____, ...answers}: Answers): Answers =>
  answers;

/** Whether a secret is asked for again, where there was one. */
const hintFor = ({hadSecret, savedClient}: {[K in 'hadSecret' | 'savedClient']: Unfinished[K] | undefined}) => {
  if (hadSecret) return {hint: 'You will enter secrets again: they were not saved.'};
  return savedClient === undefined ? {} : {hint: `The MCP client ${savedClient} was saved, with its secret.`};
};

/** Whether flags or the environment bring the secrets of this run, so that nobody is asked for one. */
const hasSecrets = ({settings: {clientSecret, presets}}: WizardState): boolean =>
  clientSecret !== undefined || presets['create-mcp-client']?.adminPassword !== undefined;

/** What was answered then. */
const knownOf = ({settings}: WizardState) => {
  const {baseDomain, addresses, signIn, clientId} = settings.unfinished ?? {};
  const named = baseDomain === undefined ? addresses?.controlPlaneUrl : undefined;
  return [
    ...(baseDomain ? [['Base domain', baseDomain] as const] : []),
    ...(named ? [['Control plane', String(named)] as const] : []),
    ...(signIn ? [['Sign-in', signInName[signIn]] as const] : []),
    ...(clientId ? [['Client ID', clientId] as const] : []),
  ];
};
