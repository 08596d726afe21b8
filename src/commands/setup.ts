import type {CommandHandler} from '../command-line/command.ts';
import type {FlagValues} from '../command-line/flags.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {answersOf, isSearched, readSaved, type Saved, withSaved, withTerms} from '../command-line/saved-context.ts';
import {isInteractive, runEither} from '../command-line/wizard/run-either.ts';
import {loadRenderer} from '../command-line/wizard/run-wizard.ts';
import {readWizardInput} from '../command-line/wizard/wizard-input.ts';
import {isAlive, signInState} from '../domain/sign-in-lifecycle.ts';
import type {Ports} from '../ports/ports.ts';
import {type Answers, initialState, type Settings} from '../state/model.ts';
import {createResumeStore, isContinuing, isWorthResuming} from '../state/resume-store.ts';
import {findOwnPaths} from '../store/own-paths.ts';

/** `setup`: runs the wizard for a person at a terminal, else the same steps from flags. */
export const runSetup: CommandHandler = async invocation => {
  const {flags, env} = invocation;
  // The wizard's code is read from disk while everything else is found out.
  if (isInteractive(invocation)) void loadRenderer(invocation);
  const {settings, answers, ports} = await readWizardInput(invocation, portsOf(invocation));
  const saved = await readSaved(flags, ports);
  const resume = createResumeStore(ports.files, findOwnPaths(env).resume);
  const known = withSaved(settings, saved);
  if (!isInteractive(invocation)) {
    const initial = (await goingOn(saved, {settings: known, answers}, ports, flags)) ?? [
      withTerms(known, saved.context),
      answers,
    ];
    await runEither(initialState(...initial), ports, invocation);
    return;
  }
  // A person first sees what was left unfinished, or the saved deployment; a script says itself what it wants.
  const begun = await resume.read();
  const left = begun && isContinuing(answers, begun) ? begun : undefined;
  const met = {
    ...(saved.context
      ? {saved: saved.context, again: answersOf(saved.context, answers, settings.clientSecret ?? saved.clientSecret)}
      : {}),
    ...(left && isWorthResuming(left) ? {unfinished: left} : {}),
  };
  await runEither(initialState({...known, ...met}, answers), ports, invocation, resume);
};

/**
 * Returns an unattended run with the person's saved sign-in, because nobody is there to sign in again.
 * Undefined if no such sign-in still works, or if flags ask for something else than the saved sign-in.
 */
const goingOn = async (
  {context}: Saved,
  {settings, answers}: {readonly settings: Settings; readonly answers: Answers},
  {credentials, clock}: Ports,
  flags: FlagValues,
): Promise<readonly [Settings, Answers] | undefined> => {
  const isOther = answers.signIn !== undefined || answers.signInBy !== undefined || answers.ownCli || isSearched(flags);
  if (context?.signIn !== 'browser' || isOther) return undefined;
  const stored = await credentials.get(context).catch(() => undefined);
  if (!isAlive(signInState(stored, clock.now()))) return undefined;
  const again = answersOf(context, {}, undefined);
  const {connect} = answers;
  return [
    {...settings, saved: context, again},
    {...again, resume: 'connect', ...(connect ? {connect} : {})},
  ];
};
