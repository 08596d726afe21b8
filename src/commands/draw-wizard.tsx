import {setFlagsFromString} from 'node:v8';
import {render} from 'ink';
import type {Ports} from '../ports/ports.ts';
import {App} from '../screens/app.tsx';
import {GlyphProvider, plainGlyphs, unicodeGlyphs} from '../screens/theme.ts';
import {TickProvider} from '../screens/use-elapsed.ts';
import type {Wizard} from '../state/wizard.ts';
import {asciiOutput} from './ascii-output.ts';
import type {Invocation} from './command.ts';
import type {Ending} from './run-wizard.ts';
import {isUnicode, wantsStillness} from './terminal-abilities.ts';

/** The wizard as screens that are drawn again in place. Resolves with how it was left. */
export const drawWizard = async (
  wizard: Wizard,
  ports: Ports,
  {terminal, env, signal}: Invocation,
): Promise<Ending> => {
  // Garbage is collected a little more often, for a seventh less memory: a wizard waits for people, not they for it.
  setFlagsFromString('--semi-space-growth-factor=1');
  const unicode = isUnicode(env);
  // The launcher painted the title on this line already; the first frame is drawn over it.
  terminal.stdout.write('\r');
  const app = render(
    <GlyphProvider value={unicode ? unicodeGlyphs : plainGlyphs}>
      <TickProvider value={wantsStillness(env) ? 1_000 : 100}>
        <App wizard={wizard} keepSecret={ports.vault.set} send={ports.inbox.send} now={ports.clock.now} />
      </TickProvider>
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
      // A key is on the screen within 16 ms; Ink’s own pace would let two of its frames pass.
      maxFps: 125,
    },
  );
  const unmount = () => app.unmount();
  signal.addEventListener('abort', unmount, {once: true});
  wizard.start();
  const result = await app.waitUntilExit();
  // A frame that fills the terminal ends without a line feed, and the shell's prompt belongs below it.
  terminal.stdout.write('\r\n');
  signal.removeEventListener('abort', unmount);
  return result === 'done' || result === 'failed' || result === 'diagnose' ? result : 'cancelled';
};
