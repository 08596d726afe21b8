import {type ContextEntry, canOnlyLook, toolLimitOf} from '../../../domain/context.ts';
import {familyOf} from '../../../errors/errors.ts';
import {untilSignInEnds} from '../../../flows/sign-in/sign-in-end.ts';
import {firstSentence} from '../../../sentence.ts';
import {SETUP} from '../../../setup-command.ts';
import {duration} from '../../../text.ts';
import {savedOf} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import type {ConnectionState, WizardState} from '../../model.ts';
import type {AskStep, StepFlow} from '../../step.ts';
import {actorName, deploymentName, ending, purposeOf, tookLong} from '../../view/names.ts';
import {diagnostics} from '../../view/offers.ts';
import type {Block, Offer} from '../../view/view.ts';
import {giveRole, signAssistantsIn} from '../account/account.ts';
import {mayOnlyLook} from './only-look.ts';

/**
 * A person who comes back to the home screen may have ended or renewed the sign-in meanwhile. It is inspected again,
 * and the verdict of an earlier diagnosis is dropped.
 */
export const homeForgets = {
  answers: ['resume', 'onlyLook', 'accountAnew', 'accountAccessAnew'],
  facts: [
    'inspectedSignIn',
    'connection',
    'withoutEntries',
    'withoutToken',
    'withUnreadableFile',
    'accountSignedOut',
    'isAccountUnfit',
    'diagnosed',
  ],
} as const;

/** What asks the deployment is loaded once the screen is drawn. */
const asking = () => import('./ask-deployment.ts');

/** Asks the saved deployment how it is: at once, and then from time to time as long as the home screen is shown. */
const askDeployment: StepFlow = async (state, run) => (await asking()).askDeployment(state, run);

/** Waits, on the screen of a person who is signed out, until they have signed in elsewhere. */
export const awaitSignIn: StepFlow = async (state, run) => (await asking()).awaitSignIn(state, run);

/** Asks a person with a saved deployment what to do with it. */
export const home = {
  id: 'home',
  stage: 'deployment',
  kind: 'ask',
  title: 'Home',
  flag: '--yes',
  when: ({facts}) => facts.inspectedSignIn !== undefined && facts.inspectedSignIn.state !== 'ended',
  done: ({answers}) => answers.resume !== undefined,
  forgets: homeForgets,
  beside: () => askDeployment,
  ask: (state, now) => ({
    type: 'question',
    heading: headingOf(state),
    about: aboutHome(state, now),
    offers: isAlive(state)
      ? [
          ...(state.facts.accountSignedOut ? signAssistantsIn(state) : []),
          ...(state.facts.isAccountUnfit ? [giveRole(state)] : []),
          ...(needsDiagnosis(state) ? [diagnostics] : []),
          checkAgain(state),
          connect(state),
          ...lookSwitch(state),
          ...aheadOfItsEnd(state, now),
          ...always.filter(offer => offer !== diagnostics || !needsDiagnosis(state)),
        ]
      : [...whenBack(state, now), ...always],
    initial: 0,
    ...(isAsking(state) ? {isPending: true} : {}),
  }),
} satisfies AskStep;

const isAlive = ({facts}: WizardState) => facts.inspectedSignIn?.state === 'alive';

/** True if the sign-in is alive, and the deployment has not yet said that it accepts it. */
const isAsking = (state: WizardState) => isAlive(state) && state.facts.connection === undefined;

/** True if the one thing that is wrong with the entries is a file that cannot be read, which no renewal mends. */
const needsDiagnosis = ({facts}: WizardState) => {
  const {withoutEntries = [], withoutToken = [], withUnreadableFile = []} = facts;
  return withUnreadableFile.length > 0 && withoutEntries.length + withoutToken.length === 0;
};

const hasEntries = ({settings}: WizardState) => (savedOf(settings).entries ?? []).length > 0;

/** Returns the state of the saved deployment as a heading. */
const headingOf = (state: WizardState) => {
  const {name} = savedOf(state.settings);
  if (!isAlive(state)) return `${name} is saved`;
  return hasEntries(state) ? `${name} is set up` : `${name}: you are signed in`;
};

const aboutHome = (state: WizardState, now: number): readonly Block[] => {
  const {facts, settings} = state;
  const {baseDomain, layout, controlPlaneUrl, observerUrl, authUrl} = savedOf(settings);
  const rows = [
    ['Deployment', deploymentName(baseDomain, layout)] as const,
    ['Control plane', controlPlaneUrl] as const,
    ...(observerUrl ? [['Observer', observerUrl] as const] : []),
    ['Identity provider', authUrl] as const,
    ...(hasEntries(state) ? [['Assistants', actingIn(state)] as const] : []),
  ];
  const {inspectedSignIn} = facts;
  return [
    ...(inspectedSignIn ? [standingOf(inspectedSignIn, facts.connection, now)] : []),
    ...entryTroubles(facts),
    ...notHeldIn(state),
    ...diagnosedIn(facts),
    {type: 'table', rows},
    ...othersIn(facts),
  ];
};

/** Names the assistants that cannot reach the platform, before the choice that connects them again. */
const entryTroubles = (facts: WizardState['facts']): readonly Block[] => {
  const {withoutEntries = [], withoutToken = [], withUnreadableFile = [], accountSignedOut, isAccountUnfit} = facts;
  const warning = (names: readonly string[], what: string, cure: string): readonly Block[] => {
    if (names.length === 0) return [];
    const text = `${what}: ${names.join(', ')}. ${cure}.`;
    return [{type: 'status', status: 'warning', text}];
  };
  return [
    ...(accountSignedOut
      ? [
          {
            type: 'status',
            status: 'warning',
            text: 'Your assistants are signed out, so they cannot use the platform.',
          } as const,
        ]
      : []),
    ...(isAccountUnfit
      ? [{type: 'status', status: 'warning', text: 'Your assistants’ account needs a role.'} as const]
      : []),
    ...warning(withUnreadableFile, 'File not readable', '“Diagnostics” says why'),
    ...warning(withoutEntries, 'Missing entries', '“Check and renew” adds them again'),
    ...warning(withoutToken, 'Without a valid token', '“Check and renew” gives them a new one'),
  ];
};

/** Says as whom the assistants act, and what they may do. */
const actingIn = (state: WizardState): string => {
  const {assistantsAccount, entries = [], ...own} = savedOf(state.settings);
  const {purpose} = assistantsAccount ?? {};
  const actor = assistantsAccount?.clientId ?? actorName(own);
  const who = `as ${actor}${purpose === undefined ? '' : ` (${purposeOf[purpose]})`}`;
  if (mayOnlyLook(state)) return `read-only, ${who}`;
  const limited = namesOf(
    state,
    entries.filter(entry => toolLimitOf(entry) === 'look'),
  );
  if (limited.length === 0) return `act ${who}`;
  if (limited.length === namesOf(state, entries).length) return `read-only, ${who}`;
  return `act ${who}; read-only: ${limited.join(', ')}`;
};

/** Names the assistants that may change things although all should only look: their entries do not use the bridge. */
const notHeldIn = (state: WizardState): readonly Block[] => {
  const past = (savedOf(state.settings).entries ?? []).filter(({method}) => !canOnlyLook(method));
  if (!mayOnlyLook(state) || past.length === 0) return [];
  const text = `Not limited: ${namesOf(state, past).join(', ')}. Only the bridge can limit an assistant to reading.`;
  return [{type: 'status', status: 'warning', text}];
};

const namesOf = ({settings}: WizardState, entries: readonly ContextEntry[]): readonly string[] => [
  ...new Set(entries.map(({assistant}) => settings.assistants.find(({id}) => id === assistant)?.name ?? assistant)),
];

/** Offers to allow changes again, or to limit assistants to reading if that affects an entry that uses the bridge. */
const lookSwitch = (state: WizardState): readonly Offer[] => {
  const {entries = []} = savedOf(state.settings);
  const follows = entries.some(({method, tools}) => method === 'bridge' && tools !== 'look');
  if (!follows && !mayOnlyLook(state)) return [];
  return [
    mayOnlyLook(state)
      ? {
          label: 'Allow changes again',
          hint: 'Each assistant gets back the tools in its entry.',
          shortcut: {key: 'l', label: 'allow changes'},
          event: answered({onlyLook: false}),
        }
      : {
          label: 'Limit assistants to reading',
          hint: 'Takes effect at once. You can switch back at any time.',
          shortcut: {key: 'l', label: 'read only'},
          event: answered({onlyLook: true}),
        },
  ];
};

/** The number of other deployments that are named; the rest is counted. */
const MOST = 3;

/** Names the other saved deployments, and the command that opens one: this run is about one deployment only. */
export const othersIn = ({otherContexts = []}: WizardState['facts']): readonly Block[] => {
  if (otherContexts.length === 0) return [];
  const named = otherContexts
    .slice(0, MOST)
    .map(({name, isSignedOut}) => `${name}${isSignedOut ? ' (signed out)' : ''}`);
  const rest = otherContexts.length - named.length;
  const all = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  const [only] = otherContexts;
  const name = otherContexts.length === 1 && only ? only.name : 'NAME';
  return [
    {
      type: 'text',
      text: `Also saved: ${all}. To open ${otherContexts.length === 1 ? 'it' : 'one'}: ${SETUP} --context ${name}`,
      tone: 'dim',
    },
  ];
};

/** Returns the verdict of a diagnosis that was opened from here, unless it is “everything works”. */
export const diagnosedIn = ({diagnosed}: WizardState['facts']): readonly Block[] => {
  if (!diagnosed || diagnosed.state === 'works') return [];
  return [{type: 'status', status: 'warning', text: `Diagnostics: ${diagnosed.sentence}.`}];
};

/** Describes the saved sign-in, and the connection as far as the deployment has answered. */
const standingOf = (
  signIn: NonNullable<WizardState['facts']['inspectedSignIn']>,
  connection: ConnectionState | undefined,
  now: number,
): Block => {
  if (signIn.state !== 'alive') {
    const remedy = signIn.state === 'unknown' ? signIn.remedy : undefined;
    const what = remedy === undefined ? 'renewed right now' : 'read';
    const wait = waitOf(signIn, now);
    const until = wait === undefined ? '' : `The identity provider asks you to wait another ${wait}.`;
    const text = [`Your sign-in could not be ${what}. It is kept.`, signIn.message, remedy ?? until]
      .join(' ')
      .trimEnd();
    return {type: 'status', status: 'warning', text};
  }
  const {account, expiresAt, renewable, failure} = signIn.token;
  const left = expiresAt === undefined || expiresAt <= now ? '' : `, token valid for ${duration(expiresAt - now)}`;
  const renewal = renewable ? `, renewed when needed${untilSignInEnds(signIn.token, now)}` : '';
  if (!connection) return {type: 'text', text: `Signed in as ${account}${left}. Asking your platform…`};
  if (connection.state === 'failed') {
    const {headline, message, code} = connection.failure;
    // A refusal names no address that would help: the next screen has the details.
    const details = familyOf(code) === 'auth' ? [] : [firstSentence(message)];
    const text = [`${headline}.`, ...details, `Signed in as ${account}${left}.`].join(' ');
    return {type: 'status', status: 'warning', text};
  }
  if (failure !== undefined) {
    const text = `Connected as ${account}${left}. The last attempt to renew the sign-in failed: ${failure}`;
    return {type: 'status', status: 'warning', text};
  }
  const {slow} = connection;
  if (slow) {
    const text = `Connected as ${account}${left}, but slow: ${tookLong(slow)}`;
    return {type: 'status', status: 'warning', text};
  }
  return {type: 'status', status: 'ok', text: `Connected as ${account}${left}${renewal}`};
};

const checkAgain = (state: WizardState): Offer => ({
  ...(hasEntries(state)
    ? {label: 'Check and renew', hint: 'Test everything, renew what has expired, and add missing entries again.'}
    : {label: 'Check the connection', hint: 'Test every server now.'}),
  event: answered({...state.settings.again, resume: 'renew'}),
});

const connect = ({settings, facts: {accountSignedOut}}: WizardState): Offer => ({
  label: 'Connect assistants',
  hint: 'Add or remove assistants, or change how they stay signed in.',
  // An account of the assistants that is signed out signs in before the review, which would change nothing otherwise.
  event: answered({
    ...settings.again,
    resume: 'connect',
    ...(accountSignedOut === undefined ? {} : {accountAnew: accountSignedOut}),
  }),
});

/** If the end of the sign-in is known, or nothing renews its token, offers to sign in again ahead of time. */
const aheadOfItsEnd = ({facts, settings}: WizardState, now: number): readonly Offer[] => {
  const {inspectedSignIn} = facts;
  if (inspectedSignIn?.state !== 'alive' || savedOf(settings).signIn !== 'browser') return [];
  const {signInEndsAt, expiresAt, renewable} = inspectedSignIn.token;
  const ends = signInEndsAt ?? (renewable ? undefined : expiresAt);
  if (ends === undefined) return [];
  const hint = `The current sign-in ${ending(ends - now)}.`;
  return [{label: 'Sign in again', hint, event: answered({...settings.again, resume: 'sign-in'})}];
};

/** Returns how long the identity provider asks setup to wait, in words; undefined if it asks for no wait. */
const waitOf = (signIn: NonNullable<WizardState['facts']['inspectedSignIn']>, now: number): string | undefined =>
  signIn.state === 'unknown' && signIn.askedUntil !== undefined && signIn.askedUntil > now
    ? duration(Math.max(signIn.askedUntil - now, 1_000))
    : undefined;

const againHint = (signIn: WizardState['facts']['inspectedSignIn'], now: number): string => {
  if (signIn?.state === 'unknown' && signIn.remedy !== undefined) return 'Once that is fixed.';
  const wait = signIn && waitOf(signIn, now);
  return wait === undefined ? 'Asks the identity provider again.' : `Wait ${wait} first.`;
};

/** Returns what a person can do about a sign-in whose state is unknown. */
const whenBack = ({settings, facts: {inspectedSignIn}}: WizardState, now: number): readonly Offer[] => [
  {
    label: 'Try again',
    hint: againHint(inspectedSignIn, now),
    event: {type: 'went-back', to: 'inspect-sign-in'},
  },
  {
    label: 'Sign in again',
    hint: 'Same deployment, same method.',
    event: answered({...settings.again, resume: 'sign-in'}),
  },
];

export const startOver: Offer = {
  label: 'Start over',
  hint: 'Another deployment, or another way to sign in.',
  event: answered({resume: 'anew'}),
};

const always: readonly Offer[] = [startOver, diagnostics, {label: 'Leave', leave: 'done'}];
