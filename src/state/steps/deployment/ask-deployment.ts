import {asAssistants} from '../../../domain/context.ts';
import type {EntryState} from '../../../flows/assistants/inspect-entries.ts';
import type {LiveState, SavedConnection} from '../../../flows/platform-tools/saved-connection.ts';
import type {Ports} from '../../../ports/ports.ts';
import {savedOf} from '../../derived/wizard-deployment.ts';
import type {ConnectionState, WizardState} from '../../model.ts';
import type {StepFlow} from '../../step.ts';

/** How often the deployment is asked again while the home screen is shown, in milliseconds. */
const ASK_AGAIN = 60_000;

/** The shortest time between two looks, in milliseconds: a token may have expired already. */
const LEAST = 5_000;

/** Returns how long to wait before the deployment is asked again: at most until the token expires, in milliseconds. */
const untilNextLook = ({facts: {inspectedSignIn}}: WizardState, now: number): number => {
  const end = inspectedSignIn?.state === 'alive' ? inspectedSignIn.token.expiresAt : undefined;
  return end === undefined ? ASK_AGAIN : Math.min(ASK_AGAIN, Math.max(LEAST, end - now));
};

/** Asks the saved deployment how it is: at once, and then from time to time as long as the home screen is shown. */
export const askDeployment: StepFlow = async (state, run) => {
  const {ports, signal} = run;
  const {connection, inspectedSignIn} = state.facts;
  const isFirst = connection === undefined && inspectedSignIn?.state === 'alive';
  if (!isFirst) await ports.clock.sleep(untilNextLook(state, ports.clock.now()), signal);
  const {askSavedConnection} = await import('../../../flows/platform-tools/saved-connection.ts');
  // The calls of the first time can be seen on request; all others would only repeat them.
  const context = savedOf(state.settings);
  return factsOf(askSavedConnection({context}, isFirst ? run : {...run, tell: () => {}}), state, ports);
};

/**
 * Returns the assistants whose entries are missing, hold no valid token or cannot be read, and whether their account is
 * signed out.
 */
const inspectedEntries = async (
  state: WizardState,
  ports: Ports,
): Promise<
  Pick<WizardState['facts'], 'withoutEntries' | 'withoutToken' | 'withUnreadableFile' | 'accountSignedOut'>
> => {
  const {settings} = state;
  const theirs = asAssistants(savedOf(settings));
  const {isSignedOut} = await import('../../../flows/sign-in/resume-sign-in.ts');
  const account = theirs ? {accountSignedOut: await isSignedOut(theirs, ports)} : {};
  if ((savedOf(settings).entries ?? []).length === 0) return account;
  const {inspectEntries} = await import('../../../flows/assistants/inspect-entries.ts');
  const standings = await inspectEntries(savedOf(settings), settings.assistants, ports);
  const now = ports.clock.now();
  const namesOf = (isMeant: (entry: EntryState) => boolean) => [
    ...new Set(standings.filter(isMeant).map(({assistant}) => assistant)),
  ];
  return {
    ...account,
    withoutEntries: namesOf(({state}) => state === 'missing'),
    withUnreadableFile: namesOf(({state}) => state === 'unreadable'),
    withoutToken: namesOf(
      ({state, expiresAt, isOff}) =>
        !isOff && (state === 'signed-out' || (state === 'token' && expiresAt !== undefined && expiresAt <= now)),
    ),
  };
};

/** Waits, on the screen of a person who is signed out, until they have signed in elsewhere. */
export const awaitSignIn: StepFlow = async (state, run) => {
  const {awaitNewSignIn} = await import('../../../flows/platform-tools/saved-connection.ts');
  const live = await awaitNewSignIn(savedOf(state.settings), {...run, tell: () => {}});
  return factsOf(live, state, run.ports);
};

/** Returns what the home screen shows: the sign-in and the connection, and the entries as they are now. */
const factsOf = async (live: LiveState | Promise<LiveState>, state: WizardState, ports: Ports) => {
  const {signIn, connection, account} = await live;
  const ofAccount = account?.connection?.state === 'failed' ? account.connection.error.code : undefined;
  return {
    inspectedSignIn: signIn,
    ...(connection ? {connection: await standing(connection, state)} : {}),
    // The assistants' own account may turn out to be signed out while it is asked, so the store is read after that.
    ...(await inspectedEntries(state, ports)),
    ...(account ? {isAccountUnfit: ofAccount === 'auth-no-role'} : {}),
  };
};

const standing = async (connection: SavedConnection, state: WizardState): Promise<ConnectionState> => {
  if (connection.state !== 'failed') return connection;
  const {failureOf} = await import('../../failure.ts');
  return {state: 'failed', failure: failureOf(connection.error, 'home', state)};
};
