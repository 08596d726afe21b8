import type {CommandHandler} from '../command-line/command.ts';
import {
  answersOf,
  isSearched,
  readSaved,
  type Saved,
  withSaved,
  withTerms,
} from '../command-line/context/saved-context.ts';
import type {FlagValues} from '../command-line/flags.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {isInteractive, runEither} from '../command-line/wizard/run-either.ts';
import {loadRenderer} from '../command-line/wizard/run-wizard.ts';
import {readWizardInput} from '../command-line/wizard/wizard-input.ts';
import {isAlive, signInStanding} from '../domain/sign-in-lifecycle.ts';
import type {Ports} from '../ports/ports.ts';
import {type Answers, initialState, type Settings} from '../state/model.ts';
import {findOwnPaths} from '../state/stores/own-paths.ts';
import {createResumeStore, isWorthResuming} from '../state/stores/resume-store.ts';

/** `setup`: the wizard for a person at a terminal, the same steps from flags for everyone else. */
export const runSetup: CommandHandler = async invocation => {
  const {flags, env} = invocation;
  // The wizard is read from disk while everything else is found out.
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
  // A person is met with what was left unfinished, or with how things stand; a script says itself what it wants.
  const left = Object.keys(answers).length === 0 ? await resume.read() : undefined;
  const met = {
    ...(saved.context
      ? {saved: saved.context, again: answersOf(saved.context, answers, settings.clientSecret ?? saved.clientSecret)}
      : {}),
    ...(left && isWorthResuming(left) ? {unfinished: left} : {}),
  };
  await runEither(initialState({...known, ...met}, answers), ports, invocation, resume);
};

/**
 * A run that nobody answers, with the sign-in that a person has made: nobody is there to make another one. Undefined where
 * there is none that still works, or where flags say how to sign in.
 */
const goingOn = async (
  {context}: Saved,
  {settings, answers}: {readonly settings: Settings; readonly answers: Answers},
  {credentials, clock}: Ports,
  flags: FlagValues,
): Promise<readonly [Settings, Answers] | undefined> => {
  const isOther = answers.signIn !== undefined || answers.signInBy !== undefined || answers.ownCli || isSearched(flags);
  if (context?.signIn !== 'browser' || isOther) return undefined;
  const kept = await credentials.get(context).catch(() => undefined);
  if (!isAlive(signInStanding(kept, clock.now()))) return undefined;
  const again = answersOf(context, {}, undefined);
  const {connect} = answers;
  return [
    {...settings, saved: context, again},
    {...again, resume: 'connect', ...(connect ? {connect} : {})},
  ];
};
