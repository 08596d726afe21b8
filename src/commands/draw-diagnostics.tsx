import {resolve} from 'node:path';
import {render} from 'ink';
import {fixSays} from '../flows/diagnosis/fixes.ts';
import {Diagnostics} from '../screens/diagnostics.tsx';
import {GlyphProvider, plainGlyphs, unicodeGlyphs} from '../screens/theme.ts';
import type {DiagnosisRun} from '../state/diagnosis-run.ts';
import {asciiOutput} from './ascii-output.ts';
import type {Invocation} from './command.ts';
import {isUnicode} from './terminal-abilities.ts';

/** The diagnostics on the screen, until they are closed. `sign-in` when the person wants to do that now. */
export const drawDiagnostics = async (run: DiagnosisRun, {terminal, env, signal}: Invocation): Promise<string> => {
  const unicode = isUnicode(env);
  const app = render(
    <GlyphProvider value={unicode ? unicodeGlyphs : plainGlyphs}>
      <Diagnostics run={run} reportPath={resolve('platform-setup-report.md')} fixSays={fixSays} />
    </GlyphProvider>,
    {
      stdin: terminal.stdin,
      stdout: unicode ? terminal.stdout : asciiOutput(terminal.stdout),
      stderr: terminal.stderr,
      exitOnCtrlC: false,
      patchConsole: false,
      interactive: true,
      incrementalRendering: true,
      maxFps: 125,
    },
  );
  const unmount = () => app.unmount();
  signal.addEventListener('abort', unmount, {once: true});
  // What goes wrong with a check is its outcome; only leaving ends the run, and that is no news.
  run.run().catch(() => undefined);
  const ending = await app.waitUntilExit();
  run.stop();
  signal.removeEventListener('abort', unmount);
  terminal.stdout.write('\r\n');
  return typeof ending === 'string' ? ending : 'done';
};
