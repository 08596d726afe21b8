import {setFlagsFromString} from 'node:v8';
import type {Ports} from '../../ports/ports.ts';
import {TickProvider} from '../../screens/parts/progress-rows.tsx';
import {ClipboardProvider, LinksProvider} from '../../screens/parts/safe-text.tsx';
import {App} from '../../screens/wizard/app.tsx';
import type {Ending} from '../../state/view/view.ts';
import type {Wizard} from '../../state/wizard.ts';
import type {Invocation} from '../command.ts';
import {wantsStillness} from '../output/output.ts';
import {tmuxClipboard} from './clipboard.ts';
import {draw} from './draw.tsx';
import {hasLinks, meansOf, signalTerminal} from './terminal-signals.ts';

/** Draws the wizard as screens that change in place. Resolves to how it was left. */
export const drawWizard = async (wizard: Wizard, ports: Ports, invocation: Invocation): Promise<Ending> => {
  const {terminal, env, signal} = invocation;
  // More frequent garbage collection saves a seventh of the memory. A wizard waits for people, so speed matters little.
  setFlagsFromString('--semi-space-growth-factor=1');
  // The launcher has written the title on this line; the first frame is drawn over it.
  terminal.raw.write('\r');
  invocation.drawsOverTitle?.();
  const screens = (
    <TickProvider value={wantsStillness(env) ? 5_000 : 1_000}>
      <ClipboardProvider value={tmuxClipboard(env, ports.processes, signal)}>
        <LinksProvider value={() => hasLinks(env, terminal.raw)}>
          <App wizard={wizard} send={ports.inbox.send} now={ports.clock.now} />
        </LinksProvider>
      </ClipboardProvider>
    </TickProvider>
  );
  const endSignals = signalTerminal(wizard, {raw: terminal.raw, means: meansOf(env)});
  const result = await draw(screens, invocation, wizard.start, ending => ending === 'diagnose').finally(endSignals);
  return result === 'done' || result === 'failed' || result === 'diagnose' ? result : 'cancelled';
};
