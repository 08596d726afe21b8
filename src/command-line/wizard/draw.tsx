import chalk from 'chalk';
import {render} from 'ink';
import type {ReactNode} from 'react';
import {createKeyStream} from '../../screens/parts/input/key-stream.ts';
import {createTextClaims, TextClaimsProvider} from '../../screens/parts/input/text-claims.tsx';
import {SizeProvider} from '../../screens/parts/layout/size.tsx';
import {GlyphProvider, plainGlyphs, unicodeGlyphs, withoutStyles} from '../../screens/parts/theme.ts';
import {LeaveProvider} from '../../screens/wizard/leave.tsx';
import type {Invocation} from '../command.ts';
import {asciiOutput} from '../output/ascii-output.ts';
import {isUnicode} from '../output/terminal-abilities.ts';

/**
 * Draws screens in place until they are closed, or the run is ended from outside. Resolves with what they were closed
 * with; `begin` is called when the first frame is there.
 *
 * @param isPassing whether something else is drawn in their place after this ending
 */
export const draw = async (
  screens: ReactNode,
  {terminal, env, signal}: Invocation,
  begin: () => void,
  isPassing: (ending: string) => boolean,
): Promise<unknown> => {
  const unicode = isUnicode(env);
  const glyphs = unicode ? unicodeGlyphs : plainGlyphs;
  const claims = createTextClaims();
  const screen = (
    <GlyphProvider value={chalk.level === 0 ? withoutStyles(glyphs) : glyphs}>
      <TextClaimsProvider value={claims}>
        <SizeProvider>
          <LeaveProvider isPassing={isPassing}>{screens}</LeaveProvider>
        </SizeProvider>
      </TextClaimsProvider>
    </GlyphProvider>
  );
  const app = render(screen, {
    stdin: createKeyStream(terminal.stdin, claims),
    stdout: unicode ? terminal.raw : asciiOutput(terminal.raw),
    exitOnCtrlC: false,
    patchConsole: false,
    // Both ends are a terminal here, also where an environment variable says that this is CI.
    interactive: true,
    incrementalRendering: true,
    // A key is on the screen within 16 ms; Ink’s own pace would let two of its frames pass.
    maxFps: 125,
  });
  const unmount = () => app.unmount();
  signal.addEventListener('abort', unmount, {once: true});
  begin();
  const ending = await app.waitUntilExit();
  // A frame that fills the terminal ends without a line feed, and the shell's prompt belongs below it.
  if (!(typeof ending === 'string' && isPassing(ending))) terminal.raw.write('\r\n');
  signal.removeEventListener('abort', unmount);
  return ending;
};
