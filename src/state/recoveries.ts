import type {Target} from '../flows/assistants/assistant-entry.ts';
import {contextNameIn, DEFAULT_CLIENT_ID, isResumed, targetsOf} from './derived.ts';
import type {Failure, WizardState} from './model.ts';
import type {Offer} from './questions.ts';
import type {WizardEvent} from './reducer.ts';
import {type StepId, stepsOf} from './steps.ts';
import {authorityFile, isFile, trustOffers} from './trust-offers.ts';
import {addressIn, baseDomainIn} from './typed.ts';

/** What a person can do about a failure, the likeliest first. Trying again is always among them. */
export const recoveriesOf = (state: WizardState, failure: Failure): readonly Offer[] => {
  const specific = bySituation(state, failure);
  const retry: Offer = {label: 'Try again', event: {type: 'retried'}};
  const likelyGoneByItself =
    (!failure.untrusted && failure.code.startsWith('network-')) ||
    failure.whose === 'platform' ||
    failure.code === 'local-port-taken';
  return likelyGoneByItself ? [retry, ...specific] : [...specific, retry];
};

const bySituation = (state: WizardState, failure: Failure): readonly Offer[] => {
  const {step, code} = failure;
  if (code === 'local-port-taken' || code === 'local-callback-failed') return withoutListening(state);
  const elsewhere =
    step === 'find-deployment' ? [...(failure.isObserver ? [withoutObserver(state)] : []), ...addresses(state)] : [];
  if (failure.untrusted) return [...trustOffers(state, failure.untrusted), ...elsewhere];
  if (code === 'local-authority-missing') return [back('Choose again whom to trust', 'cluster-authority')];
  if (code === 'input-invalid' && isFile(state.answers.authority))
    return [authorityFile(state, state.answers.authority.file)];
  // Whoever stands in between is neither trusted nor signed in to by this program.
  if (code === 'network-portal' || code.startsWith('network-proxy')) return elsewhere;
  if (failure.isObserver) return elsewhere;
  if (code === 'auth-no-role') return [...withoutRole, back('Sign in another way', 'sign-in')];
  if (code === 'auth-device-missing') return [inBrowser, back('Sign in another way', 'sign-in')];
  if (code === 'auth-client-exists') return existingClient(state);
  if (code === 'platform-observer-missing')
    return [observerAddress(state), withoutObserver(state), ...addresses(state)];
  if (step === 'find-deployment') return addresses(state);
  if (code === 'local-entry-exists') return entryExists(state);
  if (code === 'local-token-in-git') return tokenInGit(state);
  if (code === 'local-file-changed')
    return [{label: 'Look at the changes again', event: {type: 'went-back', to: 'plan'}}];
  if (step === 'verify' && code === 'auth-sign-in-required') return [back('Sign in again', 'sign-in')];
  // One file that cannot be written must not keep the others from being.
  if (step === 'plan') return [...withoutThose(state, failure), otherAssistants];
  if (['create-client', 'obtain-token', 'own-token', 'check'].includes(step)) {
    // The secret that was kept is no longer the client's.
    const isKept = state.facts.keptClient?.isKept && code === 'auth-client-refused';
    const entered = stepsOf(state).find(({id}) => id === 'client' || id === 'admin')?.id;
    return [
      ...(isKept ? [newSecret] : []),
      ...(entered
        ? [back(entered === 'client' ? 'Enter the client again' : 'Enter the administrator again', entered)]
        : []),
      back('Sign in another way', 'sign-in'),
      ...addresses(state),
    ];
  }
  return [];
};

/** Those whose file it is that cannot be written are left out, the others stay. */
const withoutThose = (state: WizardState, {message}: Failure): readonly Offer[] => {
  const {facts, answers} = state;
  const {targets} = targetsOf(state);
  if (!answers.connect) return [];
  const isMeant = ({assistant, scope}: Target) => {
    const path = facts.found?.find(({id}) => id === assistant.id)?.paths[scope];
    return path !== undefined && message.includes(path);
  };
  const meant = targets.filter(isMeant).map(({assistant}) => assistant);
  const assistants = targets.map(({assistant}) => assistant.id).filter(id => !meant.some(one => one.id === id));
  if (meant.length === 0 || assistants.length === 0) return [];
  return [
    {
      label: `Go on without ${meant.map(({name}) => name).join(' and ')}`,
      hint: 'Its file stays as it is.',
      event: {type: 'answered', answers: {connect: {...answers.connect, assistants}}},
    },
  ];
};

const otherAssistants: Offer = {label: 'Choose the assistants again', event: {type: 'went-back', to: 'assistants'}};

const entryExists = (state: WizardState): readonly Offer[] => [
  {
    label: 'Replace the entry',
    hint: 'npx setup undo brings it back.',
    event: {type: 'answered', answers: {replace: true}},
  },
  // A deployment that is saved has its name already.
  ...(isResumed(state)
    ? []
    : [
        {
          label: 'Name the deployment otherwise',
          hint: 'Its entries are called after it.',
          ask: 'Name: letters, digits, dots and dashes',
          initial: `${contextNameIn(state)}-2`,
          toEvent: (text: string): WizardEvent => ({
            type: 'answered',
            answers: {contextName: text.replaceAll(/[^\w.-]+/g, '-').slice(0, 63)},
          }),
        },
      ]),
  otherAssistants,
];

const tokenInGit = ({answers}: WizardState): readonly Offer[] => [
  {
    label: 'Keep the file out of git',
    hint: 'A line in .gitignore.',
    event: {type: 'answered', answers: {inGit: 'ignore'}},
  },
  ...(answers.connect
    ? [
        {
          label: 'Connect without a token',
          hint: 'A bridge keeps it signed in.',
          event: {type: 'answered', answers: {connect: {...answers.connect, method: 'bridge'}}},
        } as const,
      ]
    : []),
  {label: 'Write the token anyway', event: {type: 'answered', answers: {inGit: 'write'}}},
  otherAssistants,
];

/** What a person can do while an administrator is asked for a role. */
const withoutRole: readonly Offer[] = [
  {
    label: 'Wait for the role',
    hint: 'Checks again for up to a minute.',
    event: {type: 'answered', answers: {role: 'wait'}},
  },
  {
    label: 'Go on without a role',
    hint: 'Connects your assistants; they can do nothing yet.',
    event: {type: 'answered', answers: {role: 'without'}},
  },
];

const inBrowser: Offer = {
  label: 'Sign in through a browser',
  event: {type: 'answered', answers: {signInBy: 'browser'}},
};

/** Ways to bring the answer of a browser where nothing can listen for it. */
const withoutListening = ({facts}: WizardState): readonly Offer[] => [
  {
    label: 'Paste the answer by hand',
    hint: 'You copy the address that the browser ends on.',
    event: {type: 'answered', answers: {signInBy: 'paste'}},
  },
  // What is known not to be there is not offered.
  ...(facts.deployment?.device === false
    ? []
    : [
        {
          label: 'Sign in by a code',
          hint: 'Typed into a browser on any machine.',
          event: {type: 'answered', answers: {signInBy: 'device'}},
        } as const,
      ]),
];

const back = (label: string, to: StepId): Offer => ({label, event: {type: 'went-back', to}});

const addresses = (state: WizardState): readonly Offer[] => {
  const {answers, facts, failure} = state;
  const known = answers.baseDomain ?? facts.deployment?.baseDomain;
  // What nobody named, and is not there, suggests nothing.
  const isFirst = failure?.code === 'platform-not-found' && known === undefined;
  return [enterBaseDomain(state, isFirst ? 'Enter its base domain' : 'Another base domain', known ?? '')];
};

const enterBaseDomain = (state: WizardState, label: string, initial: string): Offer => ({
  label,
  ask: 'Base domain, or any address of the platform',
  initial,
  check: baseDomainIn(state),
  toEvent: baseDomain => ({type: 'answered', answers: {baseDomain, addresses: {}}}),
});

const observerAddress = ({answers}: WizardState): Offer => ({
  label: 'Enter the observer’s address',
  ask: 'Its address',
  initial: answers.addresses?.observerUrl ?? '',
  check: addressIn('The observer'),
  toEvent: text => ({type: 'answered', answers: {addresses: {...answers.addresses, observerUrl: text}}}),
});

const withoutObserver = ({answers}: WizardState): Offer => ({
  label: 'Go on without the observer',
  hint: 'Assistants get the control plane only.',
  event: {type: 'answered', answers: {addresses: {...answers.addresses, observerUrl: 'none'}}},
});

const newSecret: Offer = {
  label: 'Set a new secret for it',
  hint: 'Whoever uses the old secret is signed out.',
  event: {type: 'answered', answers: {existingClient: 'reset-secret'}},
};

const existingClient = ({answers}: WizardState): readonly Offer[] => {
  const clientId = answers.clientId ?? DEFAULT_CLIENT_ID;
  return [
    {
      label: 'Create one under another name',
      ask: 'Client ID of the new client',
      initial: `${clientId}_2`,
      toEvent: text => ({type: 'answered', answers: {clientId: text}}),
    },
    newSecret,
    {
      label: 'Use it with its secret',
      event: {type: 'answered', answers: {signIn: 'mcp-client', clientId}},
    },
  ];
};
