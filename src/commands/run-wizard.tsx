import {render} from 'ink';
import {cancelled, SetupError} from '../errors.ts';
import type {Env, Ports} from '../ports/ports.ts';
import {App} from '../screens/app.tsx';
import {GlyphProvider, plainGlyphs, unicodeGlyphs} from '../screens/theme.ts';
import type {WizardState} from '../state/model.ts';
import type {ResumeStore} from '../state/resume-store.ts';
import {currentStep} from '../state/steps.ts';
import {createWizard, type Wizard} from '../state/wizard.ts';
import {asciiOutput} from './ascii-output.ts';
import type {Invocation} from './command.ts';

/**
 * The wizard at a terminal, to its end.
 *
 * @throws SetupError `cancelled` on Ctrl-C or a signal; the failure that the person left on
 */
export const runWizard = async (
  initial: WizardState,
  ports: Ports,
  {terminal, env, signal}: Invocation,
  resume?: ResumeStore,
): Promise<void> => {
  const unicode = isUnicode(env);
  const wizard = createWizard(initial, ports);
  // The launcher painted the title on this line already; the first frame is drawn over it.
  terminal.stdout.write('\r');
  const app = render(
    <GlyphProvider value={unicode ? unicodeGlyphs : plainGlyphs}>
      <App wizard={wizard} keepSecret={ports.vault.set} send={ports.inbox.send} now={ports.clock.now} />
    </GlyphProvider>,
    {
      stdin: terminal.stdin,
      stdout: unicode ? terminal.stdout : asciiOutput(terminal.stdout),
      stderr: terminal.stderr,
      exitOnCtrlC: false,
      patchConsole: false,
      // Both ends are a terminal here, also where an environment variable says that this is CI.
      interactive: true,
      incrementalRendering: true,
      isScreenReaderEnabled: env.INK_SCREEN_READER === 'true' || env.ACCESSIBLE === '1',
    },
  );
  const unmount = () => app.unmount();
  signal.addEventListener('abort', unmount, {once: true});
  const stopKeeping = keepAnswers(wizard, resume);
  wizard.start();
  const result = await app.waitUntilExit();
  // A frame that fills the terminal ends without a line feed, and the shell's prompt belongs below it.
  terminal.stdout.write('\r\n');
  signal.removeEventListener('abort', unmount);
  await wizard.stop();
  await stopKeeping();

  const {failure} = wizard.state();
  if (failure && result === 'failed') throw new SetupError(failure.code, failure.message, {remedy: failure.remedy});
  if (result !== 'done' && currentStep(wizard.state()).id !== 'done') throw cancelled();
};

/**
 * Keeps the answers as they come, so that also a kill leaves the last of them, and forgets them at the end. Returns how
 * to wait for what is still being written.
 */
const keepAnswers = (wizard: Wizard, resume: ResumeStore | undefined): (() => Promise<void>) => {
  let writing: Promise<void> = Promise.resolve();
  const then = (work: () => Promise<void> | undefined) => {
    writing = writing.then(work);
  };
  wizard.subscribe(({type}) => {
    const {answers} = wizard.state();
    const isOwn = answers.resume === undefined || answers.resume === 'anew';
    if (isOwn && (type === 'answered' || type === 'went-back')) then(() => resume?.save(answers));
    if (type === 'learned' && currentStep(wizard.state()).id === 'done') then(() => resume?.clear());
  });
  return () => writing;
};

/** Whether the terminal can be trusted to show more than ASCII: by its locale, and by its name where it is known not to. */
const isUnicode = (env: Env): boolean => {
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false;
  if (process.platform === 'win32') return Boolean(env.WT_SESSION || env.TERM_PROGRAM);
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return /utf-?8/i.test(locale);
};
