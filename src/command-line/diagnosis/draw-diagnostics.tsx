import {resolve} from 'node:path';
import {fixDescriptions} from '../../flows/diagnosis/fix-says.ts';
import {Diagnostics} from '../../screens/diagnosis/diagnostics.tsx';
import type {DiagnosisRun} from '../../state/diagnosis/diagnosis-run.ts';
import type {Invocation} from '../command.ts';
import {draw} from '../wizard/draw.tsx';

/**
 * The diagnostics on the screen, until they are closed. `sign-in` when the person wants to do that now.
 *
 * @param isInside whether the wizard goes on in their place afterwards
 */
export const drawDiagnostics = async (
  run: DiagnosisRun,
  invocation: Invocation,
  isInside: boolean,
): Promise<string> => {
  const screen = (
    <Diagnostics run={run} reportPath={resolve('platform-setup-report.md')} fixDescriptions={fixDescriptions} />
  );
  const begin = () => {
    // What goes wrong with a check is its outcome; only leaving ends the run, and that is no news.
    run.run().catch(() => undefined);
  };
  const ending = await draw(screen, invocation, begin, how => (isInside && how !== 'cancelled') || how === 'sign-in');
  run.stop();
  return typeof ending === 'string' ? ending : 'done';
};
