import type {Ports} from '../../ports/ports.ts';
import type {WizardState} from '../../state/model.ts';
import type {ResumeStore} from '../../state/resume-store.ts';
import type {Invocation} from '../command.ts';

export const isInteractive = ({terminal, flags}: Invocation): boolean =>
  terminal.interactive && !flags.yes && !flags.json;

/** Runs the wizard for a person at a terminal, else with progress lines or JSON. */
export const runEither = async (
  initial: WizardState,
  ports: Ports,
  invocation: Invocation,
  resume?: ResumeStore,
): Promise<void> => {
  const {flags, terminal, signal} = invocation;
  if (isInteractive(invocation)) {
    const {runWizard} = await import('./run-wizard.ts');
    await runWizard(initial, ports, invocation, resume);
    return;
  }
  const {json = false, quiet = false, yes = false} = flags;
  const [{runHeadless}, {createEventWriter}] = await Promise.all([
    import('./headless.ts'),
    import('../output/event-writer.ts'),
  ]);
  const writer = createEventWriter(terminal, {json, quiet, home: initial.settings.place.home});
  writer.done(
    await runHeadless(initial, ports, {yes, signal, tell: writer.event, isTerminal: terminal.interactive}),
    ports.clock.now(),
  );
};
