import type {SecretName} from '../domain/secret-names.ts';
import {deploymentOf} from './deployment-of.ts';
import {DEFAULT_CLIENT_ID, savedOf} from './derived.ts';
import {subjectIn} from './diagnosis/diagnosis-subject.ts';
import {diagnostics, homeHeading, homeOffers, signedOutOffers} from './home-offers.ts';
import type {Answers, SignIn, WizardState} from './model.ts';
import {foundBy, layoutName, signInName} from './names.ts';
import {ownCliFile, ownCliName} from './own-cli.ts';
import {headingOf} from './progress.ts';
import {recoveriesOf} from './recoveries.ts';
import type {WizardEvent} from './reducer.ts';
import {currentStep} from './steps.ts';
import {addressIn, baseDomainIn, clientSecretIn} from './typed.ts';

/** Undefined for what may be. */
export type Check = (text: string) => string | undefined;

/** What taking an offer does: something happens, or a word or another choice is wanted first, or the wizard is left. */
export type Offer = {readonly label: string; readonly hint?: string} & (
  | {readonly event: WizardEvent}
  | {
      readonly ask: string;
      readonly initial: string;
      /** What is wrong with what was typed, as a sentence, where that can be told at once. */
      readonly check?: Check;
      toEvent(text: string): WizardEvent;
    }
  | {readonly which: string; readonly offers: readonly Offer[]}
  | {readonly leave: 'done' | 'cancelled' | 'failed' | 'diagnose'}
);

/** A question that is answered by one of several offers, whichever way they are put to a person. */
export type Question = {
  readonly heading: string;
  readonly offers: readonly Offer[];
  /** Whether something went wrong; that nothing was found is no fault of anybody's. */
  readonly isTrouble?: true;
  /** The index of the offer that stands when the question is put. */
  readonly initial: number;
};

/** A question that is answered by a name and its secret. The secret goes to the vault, and nowhere else. */
export type Form = {
  readonly heading: string;
  readonly explanation: string;
  /** `isKnown`: the person has given it before, and it is not merely the usual one. */
  readonly name: {readonly label: string; readonly initial: string; readonly isKnown: boolean};
  readonly secret: {readonly label: string; readonly keptAs: SecretName; read(typed: string): string};
  toEvent(name: string): WizardEvent;
};

/** What the wizard asks now, if that is a choice: also what can be done about a failure. */
export const questionOf = (state: WizardState): Question | undefined => {
  const {failure} = state;
  if (failure) {
    const last: readonly Offer[] = [...(subjectIn(state) ? [diagnostics] : []), {label: 'Quit', leave: 'failed'}];
    const offers = [...recoveriesOf(state, failure), ...last];
    if (failure.code === 'platform-not-found') return {heading: 'Where is your platform?', offers, initial: 0};
    if (failure.untrusted)
      return {heading: 'Do you trust who signed its certificate?', offers, initial: offers.length - 1, isTrouble: true};
    const heading = failure.code === 'auth-no-role' ? 'Signed in, but without a role' : 'It did not work';
    return {heading, offers, initial: 0, isTrouble: true};
  }
  switch (currentStep(state).id) {
    case 'unfinished':
      return {heading: headingOf.unfinished, offers: unfinishedOffers(state), initial: 0};
    case 'home':
      return {heading: homeHeading(state), offers: homeOffers(state), initial: 0};
    case 'signed-out':
      return {
        heading: `Your sign-in to ${savedOf(state.settings).name} has ended`,
        offers: signedOutOffers(state),
        initial: 0,
      };
    case 'which-deployment':
      return {heading: headingOf['which-deployment'], offers: whichDeploymentOffers(state), initial: 0};
    case 'deployment':
      return {heading: deploymentHeading(state), offers: deploymentOffers(state), initial: 0};
    case 'sign-in': {
      const offers = signInOffers(state);
      const {suggested} = state.settings;
      const initial = offers.findIndex(({label}) => suggested && label === signInName[suggested]);
      return {heading: headingOf['sign-in'], offers, initial: Math.max(0, initial)};
    }
    case 'own-cli':
      return {
        heading: `Sign in ${ownCliName(state)} too?`,
        offers: ownCliOffers(state),
        initial: state.facts.ownCli?.installed ? 0 : 1,
      };
    default:
      return undefined;
  }
};

/** What the wizard asks now, if that is a name and a secret. */
export const formOf = (state: WizardState): Form | undefined => {
  const {signIn, clientId, adminUsername} = state.answers;
  switch (currentStep(state).id) {
    case 'client':
      return {
        heading: headingOf.client,
        explanation:
          signIn === 'service-account'
            ? 'A service account sends its secret in the request (client_secret_post).'
            : 'An MCP client sends its secret in the header (client_secret_basic).',
        name: {
          label: 'Client ID',
          initial: clientId ?? (signIn === 'mcp-client' ? DEFAULT_CLIENT_ID : ''),
          isKnown: clientId !== undefined,
        },
        secret: {
          label: 'Client secret',
          keptAs: signIn === 'service-account' ? 'service-account-secret' : 'mcp-client-secret',
          read: clientSecretIn,
        },
        toEvent: name => answered({clientId: name, clientEntered: true}),
      };
    case 'admin':
      return {
        heading: headingOf.admin,
        explanation: 'An administrator of the identity provider. The password is sent there once, and kept nowhere.',
        name: {label: 'Administrator', initial: adminUsername ?? '', isKnown: adminUsername !== undefined},
        secret: {label: 'Password', keptAs: 'admin-password', read: typed => typed},
        toEvent: name => answered({adminUsername: name, adminEntered: true}),
      };
    default:
      return undefined;
  }
};

/** What a way to sign in is for, and what is known of it already, in one sentence. */
export const aboutSignIn = ({settings}: WizardState, signIn: SignIn | undefined): string => {
  const {presets, secretFrom} = settings;
  const preset = signIn ? presets[signIn] : undefined;
  const isKnown = preset?.clientEntered || preset?.adminEntered;
  const who = isKnown ? (preset?.clientId ?? preset?.adminUsername) : undefined;
  const from = secretFrom && preset?.clientId ? ` from ${secretFrom}` : '';
  return who
    ? `Known already: ${who}, with ${preset?.adminEntered ? 'the password' : `the secret${from}`}. Nothing to type.`
    : 'An MCP server is how an assistant reaches the platform; an MCP client is the account that it does so with.';
};

const answered = (answers: Partial<Answers>): WizardEvent => ({type: 'answered', answers});

/** Every way to sign in, in the order in which they are offered. */
export const ways: readonly {readonly signIn: SignIn; readonly hint: string}[] = [
  {signIn: 'browser', hint: 'You sign in as yourself. Best on your own machine.'},
  {signIn: 'create-mcp-client', hint: 'For assistants only. Needs an administrator once.'},
  {signIn: 'mcp-client', hint: 'You have its client ID and secret.'},
  {signIn: 'service-account', hint: 'For CI and shared machines.'},
];

/** What flags or the environment gave for a way is taken along with it. */
/** Those that this platform has. */
export const waysIn = ({facts}: WizardState) =>
  ways.filter(({signIn}) => signIn !== 'create-mcp-client' || !facts.deployment?.withoutRecipe);

const signInOffers = (state: WizardState): readonly Offer[] => {
  const {settings} = state;
  return waysIn(state).map(({signIn, hint}) => ({
    label: signInName[signIn],
    hint,
    event: answered({signIn, ...settings.presets[signIn]}),
  }));
};

const ownCliOffers = (state: WizardState): readonly Offer[] => [
  {
    label: 'Yes',
    hint: `Its file, ${ownCliFile(state)}, gets this deployment and your sign-in.`,
    event: answered({ownCli: true}),
  },
  {label: 'No', hint: 'It stays as it is.', event: answered({ownCli: false})},
];

const unfinishedOffers = ({settings}: WizardState): readonly Offer[] => [
  {
    label: 'Go on where you were',
    hint: 'Secrets are not kept; they are asked again.',
    event: answered({...settings.unfinished, begun: 'go-on'}),
  },
  {label: 'Begin anew', event: answered({begun: 'anew'})},
];

/** The platforms that were found, and where; another one can be named as well. */
const whichDeploymentOffers = (state: WizardState): readonly Offer[] => [
  ...(state.facts.deploymentChoices ?? []).map(
    ({name, controlPlaneUrl, source}): Offer => ({
      label: new URL(controlPlaneUrl).host,
      hint: `${name}, ${foundBy[source]}`,
      event: answered({baseDomain: controlPlaneUrl, addresses: {}}),
    }),
  ),
  {
    label: 'Another base domain',
    ask: 'Base domain, or any address of the platform',
    initial: '',
    check: baseDomainIn(state),
    toEvent: text => answered({baseDomain: text, addresses: {}}),
  },
];

const deploymentHeading = (state: WizardState) => {
  const {layout} = deploymentOf(state);
  return layout === 'unknown' ? 'Your deployment was found' : `Your deployment is ${layoutName[layout]}`;
};

const deploymentOffers = (state: WizardState): readonly Offer[] => {
  const {baseDomain} = deploymentOf(state);
  return [
    {label: 'Use this deployment', event: answered({deploymentAccepted: true})},
    {label: 'Change an address', which: 'Which address?', offers: addressOffers(state)},
    {
      label: 'Another base domain',
      ask: 'Base domain, or any address of the platform',
      initial: baseDomain,
      check: baseDomainIn(state),
      toEvent: text => answered({baseDomain: text, addresses: {}}),
    },
    {label: 'Look again', event: {type: 'went-back', to: 'find-deployment'}},
  ];
};

/** The three addresses, one of which is to be another. The others stay as they were found. */
const addressOffers = (state: WizardState): readonly Offer[] => {
  const {baseDomain, controlPlaneUrl, observerUrl, authUrl} = deploymentOf(state);
  const found = {controlPlaneUrl, authUrl, ...(observerUrl ? {observerUrl} : {})};
  const offer = (key: 'controlPlaneUrl' | 'observerUrl' | 'authUrl', label: string): Offer => ({
    label,
    hint: found[key] ?? 'none',
    ask: 'Its address',
    initial: found[key] ?? '',
    check: addressIn(label),
    toEvent: text => answered({baseDomain, addresses: {...found, [key]: text}}),
  });
  return [
    offer('controlPlaneUrl', 'Control plane'),
    offer('observerUrl', 'Observer'),
    offer('authUrl', 'Identity provider'),
  ];
};
