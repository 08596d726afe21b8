import type {CommandHandler} from '../command-line/command.ts';
import {answersOf, readSaved, withSaved, withTerms} from '../command-line/context/saved-context.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {isInteractive, runEither} from '../command-line/wizard/run-either.ts';
import {loadRenderer} from '../command-line/wizard/run-wizard.ts';
import {readWizardInput} from '../command-line/wizard/wizard-input.ts';
import {initialState} from '../state/model.ts';
import {findOwnPaths} from '../state/stores/own-paths.ts';
import {createResumeStore, isWorthResuming} from '../state/stores/resume-store.ts';

/** `setup`: the wizard for a person at a terminal, the same steps from flags for everyone else. */
export const runSetup: CommandHandler = async invocation => {
  const {flags, env} = invocation;
  // The wizard is read from disk while everything else is found out.
  if (isInteractive(invocation)) void loadRenderer(invocation);
  const ports = portsOf(invocation);
  const {settings, answers} = await readWizardInput(invocation, ports);
  const saved = await readSaved(flags, ports);
  const resume = createResumeStore(ports.files, findOwnPaths(env).resume);
  const known = withSaved(settings, saved);
  if (!isInteractive(invocation)) {
    await runEither(initialState(withTerms(known, saved.context), answers), ports, invocation);
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
