import type {Machine, Subject} from '../flows/diagnosis/check.ts';
import type {Ports} from '../ports/ports.ts';
import {createDiagnosisRun} from '../state/diagnosis-run.ts';
import {subjectIn} from '../state/diagnosis-subject.ts';
import type {WizardState} from '../state/model.ts';
import type {Invocation} from './command.ts';
import {machineOf} from './diagnosis-subject.ts';
import {tellDiagnosis} from './tell-diagnosis.ts';
import {isSpoken} from './terminal-abilities.ts';

export type About = {readonly subject: Subject; readonly machine: Machine};

/** Shows a diagnosis to a person at a terminal, until it is closed; `sign-in` when they want to do that now. */
export const showDiagnosis = async (about: About, ports: Ports, invocation: Invocation): Promise<string> => {
  const {flags, env} = invocation;
  const run = await createDiagnosisRun(about, ports);
  if (isSpoken(flags, env)) {
    await tellDiagnosis(run, invocation);
    return 'done';
  }
  const {drawDiagnostics} = await import('./draw-diagnostics.tsx');
  return drawDiagnostics(run, invocation);
};

/** The same from a failure in the wizard, which is gone on with afterwards. */
export const diagnoseFrom = async (state: WizardState, ports: Ports, invocation: Invocation): Promise<void> => {
  const subject = subjectIn(state);
  if (!subject) return;
  const {place, own, redirectUri} = state.settings;
  const machine = {...machineOf(invocation, subject), place, own, ...(redirectUri ? {redirectUri} : {})};
  await showDiagnosis({subject, machine}, ports, invocation);
};
