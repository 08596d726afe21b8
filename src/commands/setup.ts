import {compose} from '../compose.ts';
import {initialState} from '../state/model.ts';
import {allowedHosts} from './allowed-hosts.ts';
import type {Run} from './command.ts';
import {isInteractive, runEither} from './run-either.ts';
import {readSaved, withSaved} from './saved-context.ts';
import {readWizardInput} from './wizard-input.ts';

/** `setup`: the wizard for a person at a terminal, the same steps from flags for everyone else. */
export const runSetup: Run = async invocation => {
  const {flags, env} = invocation;
  // The wizard is read from disk while everything else is found out.
  if (isInteractive(invocation)) void import('./run-wizard.tsx');
  const ports = compose(env, {allowHttp: allowedHosts(flags)});
  const {settings, answers} = await readWizardInput(invocation, ports);
  const saved = await readSaved(flags, ports);
  // A person is met with a sign-in that has ended; a script says itself what it wants.
  const met = isInteractive(invocation) && saved.context ? {saved: saved.context} : {};
  await runEither(initialState({...withSaved(settings, saved, ports), ...met}, answers), ports, invocation);
};
