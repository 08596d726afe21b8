import {presetFor} from '../../derived/last-sign-in.ts';
import {answered} from '../../events.ts';
import type {Answers, Unfinished, WizardState} from '../../model.ts';
import {type AskStep, asks} from '../../step.ts';
import {clientsSaved, signInName} from '../../view/names.ts';

/** Asks whether to continue a run that was left before its end, or to start over. */
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
    const {hadSecret, savedClients, terms: _, chosen: __, ...answers} = state.settings.unfinished ?? {};
    return {
      type: 'question',
      about: [{type: 'table', rows: knownOf(state)}],
      offers: [
        {
          label: 'Continue where you left off',
          ...hintFor({hadSecret: hasSecrets(state) ? undefined : hadSecret, savedClients}),
          event: answered({...(state.left ? withoutSignIn(answers) : withPreset(answers, state)), begun: 'go-on'}),
        },
        {label: 'Start over', event: answered({begun: 'anew'})},
      ],
      initial: 0,
    };
  },
} satisfies AskStep;

/** Returns the answers with the secret that flags or the environment of this run give for their client, if they do. */
const withPreset = (answers: Answers, state: WizardState): Answers => {
  const preset = answers.signIn && presetFor(state, answers.signIn);
  const isOther = preset?.clientId !== undefined && (answers.clientId ?? preset.clientId) !== preset.clientId;
  return isOther ? answers : {...answers, ...preset};
};

/** Returns the answers without the way to sign in: a person who came back from a sign-in can first keep it. */
const withoutSignIn = ({signIn: _, signInBy: __, clientId: ___, clientFor: ____, ...answers}: Answers): Answers =>
  answers;

/** Says whether the person has to type a secret again. */
const hintFor = ({hadSecret, savedClients}: {[K in 'hadSecret' | 'savedClients']: Unfinished[K] | undefined}) => {
  if (hadSecret) return {hint: 'You will enter secrets again: they were not saved.'};
  return savedClients ? {hint: clientsSaved(savedClients, 'was')} : {};
};

/** Whether flags or the environment provide the secrets of this run, so that the person types none. */
const hasSecrets = ({settings: {clientSecret, presets}}: WizardState): boolean =>
  clientSecret !== undefined || presets['create-mcp-client']?.adminPassword !== undefined;

/** Returns the answers of the unfinished run, as a table. */
const knownOf = ({settings}: WizardState) => {
  const {baseDomain, addresses, signIn, signInBy, clientId, chosen, connect = chosen} = settings.unfinished ?? {};
  const ids = connect?.assistants ?? [];
  const names = settings.assistants.flatMap(({id, name}) => (ids.includes(id) ? [name] : []));
  const named = baseDomain === undefined ? addresses?.controlPlaneUrl : undefined;
  return [
    // A person may have typed any address of the platform in the place of a base domain.
    ...(baseDomain ? [[baseDomain.includes('://') ? 'Address' : 'Base domain', baseDomain] as const] : []),
    ...(named ? [['Control plane', String(named)] as const] : []),
    ...(signIn ? [['Sign-in', signInBy === 'device' ? 'With a code' : signInName[signIn]] as const] : []),
    ...(clientId ? [['Client ID', clientId] as const] : []),
    ...(names.length > 0 ? [['Assistants', names.join(', ')] as const] : []),
  ];
};
