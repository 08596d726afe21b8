import chalk from 'chalk';
import {render} from 'ink';
import type {ReactNode} from 'react';
import {createKeyStream} from '../../screens/parts/key-stream.ts';
import {LeaveProvider} from '../../screens/parts/leave.tsx';
import {Frame, SizeFrom} from '../../screens/parts/size.tsx';
import {Suspend} from '../../screens/parts/suspend.tsx';
import {createTextClaims, TextClaimsProvider} from '../../screens/parts/text-field.tsx';
import {
  BACKGROUND_QUERY,
  BackgroundProvider,
  createBackground,
  GlyphProvider,
  plainGlyphs,
  unicodeGlyphs,
  withoutStyles,
} from '../../screens/parts/theme.ts';
import type {Invocation} from '../command.ts';
import {backgroundIn, isEastAsian, isPlain, isReflowing} from '../output/output.ts';
import {createScreenOutput} from '../output/screen-output.ts';
import {releaseKeys} from './early-keys.ts';
import {createStopping} from './stopping.ts';

/**
 * Draws screens in place until they are closed or a signal ends the run. Resolves to the value with which the screens
 * were closed. Calls `begin` when the first frame is drawn. Draws nothing if the run has ended already.
 *
 * @param isPassing returns whether other screens replace these after such an ending, so that no last frame has to stay
 */
export const draw = async (
  screens: ReactNode,
  {terminal, flags, env, signal}: Invocation,
  begin: () => void,
  isPassing: (ending: string) => boolean,
): Promise<unknown> => {
  releaseKeys();
  // If the run has ended already, the listener below would never be called.
  if (signal.aborted) {
    terminal.raw.write('\r\n');
    return undefined;
  }
  const ascii = isPlain(flags, env);
  const glyphs = ascii ? plainGlyphs : unicodeGlyphs;
  const output = createScreenOutput(terminal.raw, {ascii, reflows: isReflowing(env), isWide: isEastAsian(env)}, () =>
    app.clear(),
  );
  const stopping = createStopping();
  const claims = createTextClaims();
  const named = backgroundIn(env);
  const background = createBackground(named === 'dark');
  const screen = (
    <GlyphProvider value={chalk.level === 0 ? withoutStyles(glyphs) : glyphs}>
      <TextClaimsProvider value={claims}>
        <BackgroundProvider value={background}>
          <SizeFrom source={output}>
            {stopping ? <Suspend stopping={stopping} /> : null}
            <LeaveProvider isPassing={isPassing} onLast={output.expectLast}>
              <Frame>{screens}</Frame>
            </LeaveProvider>
          </SizeFrom>
        </BackgroundProvider>
      </TextClaimsProvider>
    </GlyphProvider>
  );
  const app = render(screen, {
    stdin: createKeyStream(terminal.stdin, claims, background.hear),
    stdout: output.stream,
    exitOnCtrlC: false,
    patchConsole: false,
    // Input and output are a terminal here, even if an environment variable says that this is CI.
    interactive: true,
    incrementalRendering: true,
    // At Ink’s default of 30 frames a second, a key may show its effect 33 ms late: two frames of a screen with 60 Hz.
    maxFps: 125,
  });
  const unmount = () => app.unmount();
  signal.addEventListener('abort', unmount, {once: true});
  if (named === 'ask' && chalk.level > 0) terminal.raw.write(BACKGROUND_QUERY);
  begin();
  const ending = await app.waitUntilExit();
  output.close();
  // A frame that fills the terminal ends without a line feed, but the shell's prompt belongs below it.
  if (!(typeof ending === 'string' && isPassing(ending))) terminal.raw.write('\r\n');
  signal.removeEventListener('abort', unmount);
  return ending;
};
