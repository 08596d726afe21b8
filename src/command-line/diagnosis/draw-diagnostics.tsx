import {resolve} from 'node:path';
import {isSignInFix} from '../../domain/finding.ts';
import {fixDescriptions} from '../../flows/diagnosis/fix-descriptions.ts';
import {Diagnostics} from '../../screens/diagnosis/diagnostics.tsx';
import type {DiagnosisRun} from '../../state/diagnosis/diagnosis-run.ts';
import type {Invocation} from '../command.ts';
import {draw} from '../wizard/draw.tsx';

/**
 * Draws the diagnostics until they are closed. Returns how: a `SignInFix` if the person wants to make that sign-in now.
 *
 * @param isInside whether the wizard continues in their place afterwards
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
    // A failed check is an outcome, not an error. This rejects only if the person leaves, which needs no message.
    run.run().catch(() => undefined);
  };
  const ending = await draw(screen, invocation, begin, how => (isInside && how !== 'cancelled') || isSignInFix(how));
  run.stop();
  return typeof ending === 'string' ? ending : 'done';
};
