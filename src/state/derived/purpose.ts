import type {Context} from '../../domain/context.ts';
import type {Settings, WizardState} from '../model.ts';

/** The saved context that this run goes on with. */
export const savedOf = ({saved}: Pick<Settings, 'saved'>): Context => {
  if (!saved) throw new Error('Only a saved context is resumed.');
  return saved;
};

/** Whether this run goes on with the saved context. */
export const isResumed = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.resume === 'sign-in' || wantsMore({answers});

/** Whether this run goes on with a sign-in that is there, for which nothing is asked. */
export const isSignedIn = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  wantsMore({answers}) && answers.signInAnew !== true;

/** Whether the saved context is taken up for more than a sign-in. */
const wantsMore = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.resume === 'renew' || answers.resume === 'connect';

/** What says that the person chose to sign in, in a run that would have gone on with the saved sign-in. */
export const signingInAnew = (state: Pick<WizardState, 'answers'>): {readonly signInAnew?: true} =>
  wantsMore(state) ? {signInAnew: true} : {};

/** Whether a client signs in by a secret of its own that a person has. */
export const isByClient = ({answers}: Pick<WizardState, 'answers'>): boolean =>
  answers.signIn === 'mcp-client' || answers.signIn === 'service-account';

/** Whether an MCP client is created: none is kept from an earlier run, or that one is to have a new secret. */
export const isCreating = ({answers, facts}: Pick<WizardState, 'answers' | 'facts'>): boolean =>
  answers.signIn === 'create-mcp-client' && (!facts.keptClient?.isKept || answers.existingClient === 'reset-secret');

/** Whether this run is about a sign-in only: it is kept at once, and what changes is known, so it is not reviewed. */
export const isLogin = ({settings, answers}: Pick<WizardState, 'settings' | 'answers'>): boolean =>
  settings.login === true || (isResumed({answers}) && answers.resume !== 'connect');

/** Whether a flag says that no assistant is to be connected: then nobody is asked. */
export const connectsNone = ({given}: Pick<WizardState, 'given'>): boolean =>
  Array.isArray(given.connect?.assistants) && given.connect.assistants.length === 0;
