import {asAssistants, type Context, withAccount} from '../domain/context.ts';
import {SetupError} from '../errors/errors.ts';
import {ancestorsOf} from '../ports/processes/ancestors.ts';
import type {Invocation} from './command.ts';

/** Whose sign-in a command uses. */
export type Actor = 'me' | 'assistants';

/** The parts of an invocation that determine whose sign-in it may use. */
type Asking = Pick<Invocation, 'words' | 'args' | 'flags' | 'typed' | 'env' | 'terminal' | 'signal'>;

/** Returns whose sign-in `--as` names; undefined if it is absent. @throws SetupError `input-invalid` */
export const actorIn = ({as: value}: Invocation['flags']): Actor | undefined => {
  if (value === undefined || value === 'me' || value === 'assistants') return value;
  throw new SetupError('input-invalid', `--as takes me or assistants, not ${value}.`, {
    about: {flag: 'as'},
    remedy: 'Pass --as me for your own sign-in, or --as assistants for that of your assistants.',
  });
};

/**
 * Returns a context with only what a sign-in renews. A sign-in of the assistants does not renew the file of the
 * platform's own CLI. A sign-in of the person does not renew the entries if the assistants have an account of their
 * own.
 *
 * @param clientId the client to use if the context has no account for its assistants yet
 */
export const signingInAs = (context: Context, actor: Actor | undefined, clientId: string | undefined): Context => {
  if (actor === 'assistants') {
    const {cli: _, ...theirs} =
      asAssistants(context) ?? withAccount(context, {signIn: 'mcp-client', clientId: clientId ?? ''});
    return theirs;
  }
  if (context.assistantsAccount === undefined) return context;
  const {entries: _, ...own} = context;
  return own;
};

/**
 * Returns whose sign-in a command uses: as `--as` says, else that of the assistants if one of them runs the command and
 * they have an account of their own; undefined if nothing decides it. If the assistants have such an account, `--as me`
 * under one of them needs a person at the terminal, or a person who allows it in the conversation.
 *
 * @throws SetupError `input-invalid` if `--as` has another value, or if no such person is there or allows it
 */
export const actorOf = async (context: Context | undefined, invocation: Asking): Promise<Actor | undefined> => {
  const actor = actorIn(invocation.flags);
  if (actor === 'assistants' || context?.assistantsAccount === undefined) return actor;
  if (actor === undefined) return (await isUnderAssistant(invocation.env)) ? 'assistants' : undefined;
  if (await isWithoutPerson(invocation)) await requireConsent(context.name, invocation);
  return actor;
};

/**
 * Returns a context with the sign-in that a command uses, as `actorOf` finds it.
 *
 * @throws SetupError `input-invalid` as `actorOf` does, or if the assistants have no account of their own
 */
export const actingAs = async (context: Context, invocation: Asking): Promise<Context> => {
  if ((await actorOf(context, invocation)) !== 'assistants') return context;
  const theirs = asAssistants(context);
  if (theirs) return theirs;
  throw new SetupError('input-invalid', `The assistants of ${context.name} have no account of their own.`, {
    about: {flag: 'as'},
    remedy: 'Leave out --as: they use your sign-in.',
  });
};

const isUnderAssistant = async (env: Invocation['env']): Promise<boolean> => {
  const {isUnderAssistant: isUnder} = await import('../assistants/under-assistant.ts');
  return isUnder(env, () => ancestorsOf(process.pid));
};

/** Returns whether an assistant runs the command, and no person is at its terminal. */
const isWithoutPerson = async ({env, terminal}: Pick<Invocation, 'env' | 'terminal'>): Promise<boolean> =>
  !terminal.interactive && isUnderAssistant(env);

/** @throws SetupError `input-invalid` if an assistant runs the command, and no person is at its terminal */
export const requirePerson = async (invocation: Pick<Invocation, 'env' | 'terminal'>): Promise<void> => {
  if (await isWithoutPerson(invocation)) throw onlyForPerson();
};

/** @throws SetupError `input-invalid` if the person cannot be asked in the conversation, or does not allow it there */
const requireConsent = async (context: string, invocation: Asking): Promise<void> => {
  // The question would not show what is in the file.
  if (invocation.flags.input !== undefined) throw onlyForPerson();
  const {askInAssistant} = await import('./ask-in-assistant.ts');
  const action = await askInAssistant(context, invocation);
  if (action === 'accept') return;
  if (action === 'later') {
    throw new SetupError('input-invalid', 'The person has to allow this first.', {
      remedy:
        'Call one of the platform’s tools: this asks the person in the conversation. Then run this command again.',
    });
  }
  throw action === undefined
    ? onlyForPerson()
    : // Some clients decline without showing the question to anybody.
      new SetupError('input-invalid', 'Nobody allowed this in the conversation.', {remedy: RUN_YOURSELF});
};

const onlyForPerson = () =>
  new SetupError('input-invalid', 'This is only for a person at a terminal.', {remedy: RUN_YOURSELF});

const RUN_YOURSELF = 'Ask the person to run the command.';
