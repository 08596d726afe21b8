import type {FlowEvent} from '../../../flows/flow.ts';
import type {BrowserObstacle} from '../../../ports/ports.ts';
import {asSentence} from '../../../sentence.ts';
import {SETUP} from '../../../setup-command.ts';
import {whyAgain} from '../../derived/wizard-context.ts';
import {answered} from '../../events.ts';
import type {Failure, WizardState} from '../../model.ts';
import type {Recovery} from '../../step.ts';
import type {Action, Offer, WaitingView} from '../../view/view.ts';
import {anotherWay, isAboutClient, signInRecovery} from './sign-in-recovery.ts';

/** Returns what a person can do if the browser's answer cannot be received here, or if they cannot sign in. */
export const browserRecovery = (state: WizardState, failure: Failure): Recovery => {
  const {code} = failure;
  if (code === 'local-port-taken' || code === 'local-callback-failed')
    return {offers: withoutListening(state, failure)};
  if (code === 'auth-pkce-unlisted') return {offers: [withoutKnowing, anotherWay]};
  if (code === 'input-required' && failure.about?.flag === 'client-id')
    return {heading: 'Which client do people sign in with?', offers: [whichClient, anotherWay]};
  if (code === 'auth-device-missing') return {offers: [inBrowser, anotherWay]};
  const recovery = signInRecovery(state, failure);
  const {signIn, clientId} = state.answers;
  // The ID of the client that signs people in may be wrong, even if the platform itself names it. An ID that the person
  // entered may also be another client's.
  const isSuspect = signIn === 'browser' && (code === 'auth-client-unknown' || (clientId && isAboutClient(code)));
  return isSuspect ? {...recovery, offers: [anotherClient(state), ...recovery.offers]} : recovery;
};

const anotherClient = (state: WizardState): Offer => ({
  ...whichClient,
  label: 'Enter another client ID',
  hint: 'Get it from the identity provider’s operators.',
  initial: state.answers.clientId ?? '',
});

const withoutKnowing: Offer = {
  label: 'Sign in anyway',
  hint: 'Only if the operators confirm that it supports PKCE.',
  event: answered({assumesPkce: true}),
};

const whichClient: Offer = {
  label: 'Enter the client ID',
  ask: 'Client ID of the public client',
  initial: '',
  toEvent: text => answered({clientId: text}),
};

const inBrowser: Offer = {label: 'Sign in through a browser', event: answered({signInBy: 'browser'})};

/** Returns other ways to bring back the browser's answer, if this machine cannot listen for it. */
const withoutListening = ({facts}: WizardState, {about}: Failure): readonly Offer[] => [
  {
    label: 'Paste the address that the browser ended up at',
    hint: 'Copy it from the browser’s address bar after you have signed in.',
    event: answered({signInBy: 'paste'}),
  },
  // A way that is known to be missing is not offered.
  ...((about?.isDeviceOffered ?? facts.deployment?.device) === false
    ? []
    : [
        {
          label: 'Sign in with a code',
          hint: 'You type it into a browser on any machine.',
          event: answered({signInBy: 'device'}),
        },
      ]),
];

/** The events that begin a wait for the person, and the one that ends it. */
const turns: ReadonlySet<FlowEvent['type']> = new Set(['sign-in-waiting', 'device-code', 'token-obtained']);

/** Returns the wait for a person who signs in with a browser, here or elsewhere (RFC 8628 3.3), once it has begun. */
export const waitingFor = (state: WizardState): WaitingView | undefined => {
  const asked = state.progress.findLast(({type}) => turns.has(type));
  if (asked?.type === 'sign-in-waiting') return inTheBrowser(state, asked);
  if (asked?.type !== 'device-code') return undefined;
  return {
    type: 'waiting',
    waiting: asked,
    heading: 'Enter this code in any browser',
    warnings: why(state),
    sentences: account(state),
    actions: [
      {
        key: 'b',
        ...(state.settings.obstacle
          ? {short: 'sign in with an address', label: 'Open the sign-in address on another machine instead'}
          : {short: 'use this machine’s browser', label: 'Sign in through this machine’s browser instead'}),
        event: answered({signInBy: 'browser'}),
      },
    ],
  };
};

/** In the demonstration the person has no account of their own, so the shared one is shown. */
const account = ({settings: {demo}}: WizardState): readonly string[] =>
  demo?.account ? [`Sign in as ${demo.account.username}, with the password ${demo.account.password}.`] : [];

const why = (state: WizardState): readonly string[] => {
  const again = whyAgain(state);
  return again === undefined ? [] : [again];
};

/** The sign-in address was checked by a request before, but the browser may still show an error there. */
export const errorPage = (state: WizardState): string =>
  `If you see an error before you have signed in, the identity provider is not set up for this sign-in. Run ${guideIn(state)} and send the result to its operators. If you see one afterwards, paste the address of that page.`;

/** Returns the command that prints the guide for the identity provider of this run, which is not saved yet. */
const guideIn = ({facts: {deployment}}: WizardState): string =>
  `${SETUP} provider guide${deployment === undefined ? '' : ` --issuer ${deployment.issuer}`}`;

const pasteRefusals = {
  'no-answer': 'That is neither the address from your browser nor the code. Copy the full address.',
  'sign-in-address':
    'That is the sign-in address. Open it in a browser and sign in, then paste the address that your browser ends up at.',
  'other-sign-in': 'That address belongs to another sign-in. Copy the one from the window that opened last.',
} as const;

/** Says why pasted text cannot be used, with the words of an error page if there are some. */
export const pasteRefusal = ({because, reason}: Omit<Extract<FlowEvent, {type: 'paste-refused'}>, 'type'>): string =>
  because === 'error-page'
    ? `That is an error page of the identity provider${reason === undefined ? '.' : `: ${asSentence(reason)}`} Check that you opened the whole sign-in address; if you did, the provider refused this sign-in.`
    : pasteRefusals[because];

type Waiting = Extract<WaitingView['waiting'], {type: 'sign-in-waiting'}>;

const inTheBrowser = (state: WizardState, waiting: Waiting): WaitingView => {
  const {obstacle} = state.settings;
  const refused = state.progress.findLast(event => event.type === 'paste-refused');
  const opened = state.progress.findLast(event => event.type === 'browser-opened');
  const tunnel = tunnelFor(obstacle, waiting.redirectUri);
  return {
    type: 'waiting',
    waiting,
    heading: waiting.listening ? 'Waiting for your browser' : 'Waiting for the address from your browser',
    warnings: why(state),
    ...(refused?.type === 'paste-refused' ? {refusal: pasteRefusal(refused)} : {}),
    sentences: [
      ...account(state),
      ...situation(obstacle, opened?.type === 'browser-opened' ? opened.opened : undefined),
      errorPage(state),
    ],
    ...(tunnel ? {tunnel} : {}),
    note: waiting.listening
      ? `Listening on ${waiting.redirectUri}`
      : 'Nothing is listening here: paste the address that the browser ended up at.',
    actions: actionsOf(waiting, obstacle),
  };
};

const actionsOf = ({redirectUri, device}: Waiting, obstacle: BrowserObstacle | undefined): readonly Action[] => [
  {
    key: 'p',
    short: 'paste the browser’s address',
    label: 'Paste the address that the browser ended up at',
    ask: {
      heading: 'Paste the address that the browser ended up at',
      label: `Full address (${redirectUri}?code=…) or just the code`,
    },
    toMessage: text => ({type: 'pasted', text}),
  },
  ...(obstacle
    ? []
    : [{key: 'o', short: 'open again', label: 'Open the browser again', send: {type: 'open-again'}} as const]),
  {key: '+', short: 'more time', label: 'Take more time', send: {type: 'more-time'}},
  ...(device
    ? [
        {
          key: 'd',
          short: 'use a code instead',
          label: 'Sign in with a code instead',
          event: answered({signInBy: 'device'}),
        } as const,
      ]
    : []),
];

/** Returns the command that leads the browser on the person's own machine back to this one. */
const tunnelFor = (obstacle: BrowserObstacle | undefined, redirectUri: string): string | undefined => {
  if (obstacle?.kind !== 'ssh') return undefined;
  const {port} = new URL(redirectUri);
  return `ssh -L ${port}:127.0.0.1:${port} ${obstacle.destination}`;
};

/** @param opened whether a browser could be opened; undefined as long as none was tried */
const situation = (obstacle: BrowserObstacle | undefined, opened: boolean | undefined): readonly string[] => {
  if (obstacle?.kind === 'ssh') {
    const from = obstacle.from ? ` (SSH from ${obstacle.from})` : '';
    return [
      `This terminal runs on another machine${from}, so no browser is opened here.`,
      'Either run the ssh command above on your own machine and open the address there, or open it anywhere, sign in, and paste the address that your browser ends up at. That last page shows an error: this is expected.',
    ];
  }
  if (obstacle)
    return [
      `There is no browser ${obstacle.kind === 'container' ? 'in this container' : 'without a display'}. Open the address above anywhere, sign in, and paste the address that your browser ends up at. That last page shows an error: this is expected.`,
    ];
  if (opened) return ['If no window opened, open the address printed above.'];
  const failed = opened === false ? 'No browser could be opened here. ' : '';
  return [`${failed}Open the address above and sign in.`];
};
