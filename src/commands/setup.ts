import {compose} from '../compose.ts';
import {initialState} from '../state/model.ts';
import {allowedHosts} from './allowed-hosts.ts';
import type {Run} from './command.ts';
import {createEventWriter} from './event-writer.ts';
import {runHeadless} from './headless.ts';
import {readWizardInput} from './wizard-input.ts';

/** `setup`: the wizard for a person at a terminal, the same steps from flags for everyone else. */
export const runSetup: Run = async invocation => {
  const {flags, terminal, env, signal} = invocation;
  const ports = compose(env, {allowHttp: allowedHosts(flags)});
  const {settings, answers} = await readWizardInput(invocation, ports);
  const initial = initialState(settings, answers);

  if (terminal.interactive && !flags.yes && !flags.json) {
    const {runWizard} = await import('./run-wizard.tsx');
    await runWizard(initial, ports, invocation);
    return;
  }
  const {json = false, quiet = false, yes = false} = flags;
  const writer = createEventWriter(terminal, {json, quiet, home: settings.place.home});
  writer.done(await runHeadless(initial, ports, {yes, signal, tell: writer.event}));
};
