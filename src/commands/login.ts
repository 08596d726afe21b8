import {actorOf, signingInAs} from '../command-line/acting-as.ts';
import type {CommandHandler, Invocation} from '../command-line/command.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {answersOf, readSaved, savedContext, withSaved} from '../command-line/saved-context.ts';
import {flagsToKeep, pendingNow, pendingToJson, RESUME, resumedBy} from '../command-line/wizard/later-sign-in.ts';
import {isInteractive, runEither} from '../command-line/wizard/run-either.ts';
import {readWizardInput, type WizardInput} from '../command-line/wizard/wizard-input.ts';
import {asAssistants, type Context} from '../domain/context.ts';
import {hasUsableSecret} from '../domain/sign-in-lifecycle.ts';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import {requireOwnFiles} from '../flows/require-own-files.ts';
import type {Ports} from '../ports/ports.ts';
import {type Answers, initialState} from '../state/model.ts';
import {noContext} from '../store/config-store.ts';
import {connectAssistants} from './mcp/connect.ts';

/**
 * `setup login`: signs in, again or for the first time, and renews every entry that holds the sign-in. Without other
 * flags it signs in the same way as before, and in the browser the first time (platform access 4.5).
 */
export const runLogin: CommandHandler = async typed => {
  const {resume: resumes = false, 'no-wait': isBrief = false} = typed.flags;
  const invocation = resumes ? await resumedBy(typed, portsOf(typed)) : typed;
  const {flags} = invocation;
  const input = await readWizardInput(invocation, portsOf(invocation));
  const {settings, answers, ports} = input;
  const own = savedContext(flags, await ports.config.read());
  const actor = await actorOf(own, invocation);
  if (own && actor === 'assistants' && (await needsAnew(own, input, invocation))) {
    return connectAssistants(own, {invocation, ports, isAnew: true, input});
  }
  const saved = await readSaved(flags, ports, found => signingInAs(found, actor, answers.clientId));
  const {context} = saved;
  if (actor === 'assistants') requireAccount(context, answers);
  if (!context && flags.context !== undefined) throw noContext(flags.context, saved.contexts, {flag: 'context'});
  const code = resumes || isBrief ? {waits: !isBrief, resumes, note: flagsToKeep(invocation)} : undefined;
  const known = {...withSaved(settings, saved), ...(code ? {code} : {})};
  const again = context ? answersOf(context, answers, settings.clientSecret ?? saved.clientSecret) : {};
  const initial = context
    ? initialState({...known, saved: context, again}, answers, {...again, resume: 'sign-in'})
    : initialState(
        {...known, login: true},
        {
          ...answers,
          deploymentAccepted: true,
          signIn: answers.signIn ?? 'browser',
        },
      );
  // An error about saving the sign-in has to come before the person has typed anything.
  await requireOwnFiles(ports);
  // A sign-in that another run finishes shows no screens in this one.
  const yes = code || !isInteractive(invocation) ? {yes: true} : {};
  const run = runEither(initial, ports, {...invocation, flags: {...flags, ...yes}});
  if (!isBrief || resumes) return run;
  await run.catch(error => tellPending(error, ports, invocation));
};

/**
 * Whether the account of connected assistants is signed in as the home screen does it, so that it keeps its name, its
 * purpose and its role: if its client is to be created, or if only a secret would help that nobody has given.
 */
const needsAnew = async (
  context: Context,
  {settings, answers: {signIn, clientId, clientSecret}, ports}: WizardInput,
  invocation: Invocation,
): Promise<boolean> => {
  const theirs = asAssistants(context);
  if (!theirs || (context.entries ?? []).length === 0) return false;
  if (signIn === 'create-mcp-client') return true;
  const isGiven = [signIn, clientId, clientSecret, settings.clientSecret].some(one => one !== undefined);
  if (isGiven || !isInteractive(invocation)) return false;
  const stored = await ports.credentials.get(theirs).catch(() => undefined);
  return !hasUsableSecret(stored);
};

/**
 * Checks that a sign-in of the assistants' own account can begin. That account belongs to a client, which signs in with
 * a secret.
 *
 * @throws SetupError `auth-sign-in-required`, `input-invalid`
 */
const requireAccount = (context: Context | undefined, {signIn, clientId, clientSecret}: Answers) => {
  if (!context)
    throw new SetupError('auth-sign-in-required', 'Nothing is set up yet.', {remedy: phrase`Run ${setup()}.`});
  if (signIn === 'browser')
    throw new SetupError('input-invalid', 'The assistants’ own account must belong to a client, not to a person.', {
      about: {flag: 'as'},
      remedy: 'Pass --client-id and --client-secret-stdin.',
    });
  if (
    context.clientId === '' ||
    (clientId !== undefined && clientSecret === undefined && clientId !== context.clientId)
  )
    throw new SetupError('input-invalid', `The assistants of ${context.name} have no account of their own yet.`, {
      about: {flag: 'client-id'},
      remedy: 'Pass --client-id and --client-secret-stdin for the client that they use.',
    });
};

/** Prints how to finish a sign-in that waits for the person. Rethrows any other error. */
const tellPending = async (error: unknown, ports: Ports, {flags, terminal}: Invocation) => {
  const pending = error instanceof SetupError && error.code === 'auth-sign-in-pending' && (await pendingNow(ports));
  if (!pending) throw error;
  if (flags.json) terminal.stdout.writeJson({type: 'sign-in-pending', ...pendingToJson(pending, ports.clock.now())});
  else terminal.stdout.write(`Then finish it: ${RESUME}\n`);
};
