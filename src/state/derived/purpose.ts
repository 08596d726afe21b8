import type {Context} from '../../domain/context.ts';
import type {Settings, WizardState} from '../model.ts';

/** Returns the saved context that this run continues. */
export const savedOf = ({saved}: Pick<Settings, 'saved'>): Context => {
  if (!saved) throw new Error('Only a saved context is resumed.');
  return saved;
};

/** Whether this run continues the saved context. */
export const isResumed = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.resume === 'sign-in' || wantsMore({answers});

/** Whether this run continues the saved sign-in, so that the person does not sign in. */
export const isSignedIn = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  wantsMore({answers}) && answers.signInAnew !== true;

/** Whether the person wants more of the saved context than a sign-in. */
const wantsMore = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.resume === 'renew' || answers.resume === 'connect';

/** Returns the answer that records the choice to sign in, in a run that would have used the saved sign-in. */
export const signingInAnew = (state: Pick<WizardState, 'answers'>): {readonly signInAnew?: true} =>
  wantsMore(state) ? {signInAnew: true} : {};

/** Whether the run signs in as a client whose ID and secret the person has. */
export const isByClient = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.signIn === 'mcp-client' || answers.signIn === 'service-account';

/** Whether this run creates an MCP client: none is saved from an earlier run, or the saved one gets a new secret. */
export const isCreating = ({answers, facts}: Pick<WizardState, 'answers' | 'facts'>): boolean =>
  answers.signIn === 'create-mcp-client' && (!facts.keptClient?.isKept || answers.existingClient === 'reset-secret');

/** Whether this run is about a sign-in only. It is saved at once and not reviewed, because its changes are known. */
export const isLogin = ({settings, answers}: Pick<WizardState, 'settings' | 'answers'>): boolean =>
  settings.login === true || (isResumed({answers}) && answers.resume !== 'connect');

/** Whether a flag says that no assistant is connected, so that the person is not asked. */
export const connectsNone = ({given}: Pick<WizardState, 'given'>): boolean =>
  Array.isArray(given.connect?.assistants) && given.connect.assistants.length === 0;
