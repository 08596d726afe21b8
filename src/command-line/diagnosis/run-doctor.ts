import type {Outcome, Verdict} from '../../domain/finding.ts';
import {isUsable} from '../../domain/sign-in-lifecycle.ts';
import {familyOf, SetupError} from '../../errors/errors.ts';
import type {Machine, Subject} from '../../flows/diagnosis/check.ts';
import type {Ports} from '../../ports/ports.ts';
import {createDiagnosisRun, outcomesIn} from '../../state/diagnosis/diagnosis-run.ts';
import {baseDomainAt, subjectIn} from '../../state/diagnosis/subject-from-state.ts';
import type {WizardState} from '../../state/model.ts';
import {hasUnsavedSignIn, renewUnsavedSignIn} from '../../state/steps/sign-in/unsaved-sign-in.ts';
import type {Wizard} from '../../state/wizard.ts';
import type {Invocation} from '../command.ts';
import {isSpoken} from '../output/output.ts';
import {machineOf} from './subject-from-flags.ts';
import {tellDiagnosis} from './tell-diagnosis.ts';

export type DoctorInput = {readonly subject: Subject; readonly machine: Machine};

/**
 * The end of a diagnosis with what was found by then. `sign-in`: the person wants to sign in now; `cancelled`: they
 * leave for good.
 */
export type ShownDiagnosis = {
  readonly ending: string;
  readonly outcomes: readonly Outcome[];
  readonly verdict?: Verdict;
};

/** Shows a diagnosis to a person at a terminal until it is closed. `isInside`: the wizard continues afterwards. */
export const showDiagnosis = async (
  about: DoctorInput,
  ports: Ports,
  invocation: Invocation,
  isInside = false,
): Promise<ShownDiagnosis> => {
  const {flags, env} = invocation;
  const run = await createDiagnosisRun(about, ports);
  if (isSpoken(flags, env)) {
    return {ending: 'done', outcomes: await tellDiagnosis(run, invocation)};
  }
  const {drawDiagnostics} = await import('./draw-diagnostics.tsx');
  const ending = await drawDiagnostics(run, invocation, isInside);
  const {verdict} = run.state();
  return {ending, outcomes: outcomesIn(run.state()), ...(verdict ? {verdict} : {})};
};

/**
 * Shows a diagnosis from the wizard, which continues afterwards.
 *
 * @returns undefined if there is nothing to diagnose yet
 */
export const diagnoseFrom = async (wizard: Wizard, invocation: Invocation): Promise<ShownDiagnosis | undefined> => {
  await renewForChecks(wizard, invocation);
  const [state, ports] = [wizard.state(), wizard.ports()];
  const guessed = subjectIn(state) && !state.facts.deployment ? await servedIn(state, ports, invocation) : undefined;
  const subject = subjectIn(state, guessed);
  if (!subject) return undefined;
  const {place, own, redirectUri} = state.settings;
  const machine = {...machineOf(invocation, subject), place, own, ...(redirectUri ? {redirectUri} : {})};
  return showDiagnosis({subject, machine}, ports, invocation, true);
};

/**
 * Renews a token that is not saved yet and would end during a diagnosis, which cannot keep a new one. A sign-in whose
 * renewal is refused counts as one that cannot be renewed.
 */
const renewForChecks = async (wizard: Wizard, {signal}: Invocation): Promise<void> => {
  const state = wizard.state();
  const ports = wizard.ports();
  const {token} = state.facts;
  if (!token?.renewable || !hasUnsavedSignIn(state)) return;
  const {access, expiresAt} = token;
  const current = {accessToken: access.reveal(), ...(expiresAt === undefined ? {} : {expiresAt})};
  if (isUsable(current, ports.clock.now())) return;
  try {
    wizard.dispatch({type: 'renewed', facts: await renewUnsavedSignIn(state, {ports, signal, tell: () => {}})});
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    if (familyOf(error.code) === 'auth')
      wizard.dispatch({type: 'renewed', facts: {token: {...token, renewable: false}}});
  }
};

/** Returns the base domain that the wizard looked at, as it is served; undefined if the answer is not a base domain. */
const servedIn = async ({settings, answers}: WizardState, ports: Ports, {signal}: Invocation) => {
  try {
    const base = baseDomainAt({...settings, ...answers});
    const {asServed} = await import('../../flows/deployment/examine-platform.ts');
    return await asServed(base, settings.platform, answers.addresses ?? {}, {ports, signal});
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
};
