import {guideOnRequest} from '../../derived/guide-on-request.ts';
import {LAST_SIGN_IN, presetFor, secretSource, suggestedWay} from '../../derived/last-sign-in.ts';
import {companyDefaultsIn, signingInAnew} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import type {SignIn, WizardState} from '../../model.ts';
import {type AskStep, asks} from '../../step.ts';
import {signInName} from '../../view/names.ts';
import type {Offer} from '../../view/view.ts';

/** Asks how the person wants to sign in. */
export const signIn = {
  id: 'sign-in',
  stage: 'sign-in',
  kind: 'ask',
  title: 'How do you want to sign in?',
  flag: '--sign-in',
  done: ({answers}) => answers.signIn !== undefined,
  forgets: asks('signIn', 'signInBy', 'signInAnew'),
  ask: state => {
    const suggested = suggestedIn(state);
    const offered = waysIn(state);
    const stay = stayingIn(state);
    const wayAt = (at: number) => offered[at - stay.length]?.way;
    const saved = accountIn(state);
    return {
      type: 'question',
      ...(saved ? {heading: 'How should your assistants sign in?'} : {}),
      offers: [
        ...stay,
        // The answers that flags or the environment gave for a way come with the choice of that way.
        ...offered.map(({way, hint}) => ({
          label: signInName[way],
          hint,
          event: answered({
            signIn: way,
            ...presetFor(state, way),
            ...signingInAnew(state),
            // A client that is created again keeps its name, and with it its role.
            ...(saved && way === 'create-mcp-client' ? {clientId: saved.clientId} : {}),
          }),
        })),
      ],
      initial: stay.length > 0 ? 0 : chosenAmong(offered, suggested, state.failedWay),
      below: at => aboutWay(state, wayAt(at)),
      // The guide for registering a client for people.
      guide: () => (offered.some(({way}) => way === 'browser') ? guideOnRequest(state) : undefined),
    };
  },
  defaultAnswer: (state, yes) => {
    // With `--yes` at a terminal the person sees the address, so the default is what the screen would propose.
    const suggested = suggestedIn(state) ?? (yes && !state.settings.isUnseen ? 'browser' : undefined);
    return suggested && {signIn: suggested, ...presetFor(state, suggested)};
  },
} satisfies AskStep;

/** Returns the index of the initial choice: the suggested way, unless it has just failed. */
const chosenAmong = (
  offered: readonly {readonly way: SignIn}[],
  suggested: SignIn | undefined,
  failed: SignIn | undefined,
): number => {
  const at = offered.findIndex(({way}) => way === (suggested === failed ? undefined : suggested));
  return at >= 0
    ? at
    : Math.max(
        0,
        offered.findIndex(({way}) => way !== failed),
      );
};

/**
 * Offers to keep the sign-in from before the person went back, until a new token replaces it. Its issuer must be the
 * one of this deployment.
 */
const stayingIn = ({left, facts}: WizardState): readonly Offer[] => {
  const {token} = left?.facts ?? {};
  if (!token || left?.issuer !== facts.deployment?.issuer) return [];
  return [
    {
      label: `Stay signed in as ${token.account}`,
      hint: 'Keeps the sign-in that you have.',
      event: {type: 'stayed-signed-in'},
    },
  ];
};

/** Returns the way that flags or an earlier sign-in suggest, else the company file's. */
const suggestedIn = (state: WizardState): SignIn | undefined => suggestedWay(state) ?? companyDefaultsIn(state).signIn;

/** Returns the ways to sign in that this platform has, in the order in which they are offered. */
const waysIn = (state: WizardState) => {
  const {withoutRecipe = false} = state.facts.deployment ?? {};
  const all = ways.filter(({way}) => way !== 'create-mcp-client' || !withoutRecipe);
  // The same ways as in the question about the assistants' account.
  return accountIn(state) ? all.filter(({way}) => way === 'create-mcp-client' || way === 'mcp-client') : all;
};

/** Returns the saved context, if this run signs in the assistants' account. */
const accountIn = ({settings: {saved}}: Pick<WizardState, 'settings'>) =>
  saved?.actsAs === 'assistants' ? saved : undefined;

const MCP_CLIENT = 'An “MCP client” is an account for assistants, separate from yours.';

const ways: readonly {readonly way: SignIn; readonly hint: string}[] = [
  {way: 'browser', hint: 'You sign in as yourself. Best on your own machine.'},
  {way: 'create-mcp-client', hint: 'An account for assistants. An administrator signs in here once.'},
  {way: 'mcp-client', hint: 'If you already have its client ID and secret.'},
  {way: 'service-account', hint: 'For CI and shared machines.'},
];

/** Returns one sentence about a way to sign in: its purpose, or what is known for it already. */
const aboutWay = (state: WizardState, way: SignIn | undefined): string => {
  const {demo, lastSignIn} = state.settings;
  const preset = way && presetFor(state, way);
  const isKnown = preset?.clientEntered || preset?.adminEntered;
  const who = isKnown ? (preset?.clientId ?? preset?.adminUsername) : undefined;
  const source = preset?.clientId === undefined ? undefined : secretSource(state, preset);
  const from = source === undefined ? '' : ` from ${source}`;
  const next =
    source === LAST_SIGN_IN && lastSignIn?.isRefused
      ? 'It was refused then; setup tries it once more.'
      : 'Nothing to type.';
  return who
    ? `Using ${who}${demo ? ' from the demo' : `, with ${preset?.adminEntered ? 'the password' : `the secret${from}`}`}. ${next}`
    : accountIn(state)
      ? MCP_CLIENT
      : `Your assistants will use this account too, unless you give them one of their own. ${MCP_CLIENT}`;
};
