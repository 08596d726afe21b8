import type {ErrorCode, Remedy} from '../errors/errors.ts';
import type {ServerName} from '../errors/verdict.ts';
import {capitalized, firstSentence} from '../sentence.ts';

export type CheckVerdict = 'pass' | 'warning' | 'fail' | 'skipped';

/** A remedy that this program can carry out itself. */
export type Fix = SignInFix | UnattendedFix;

/** A sign-in of the person, or of the assistants' own account. Only the wizard can make it, with the person. */
export type SignInFix = 'sign-in' | 'assistants-sign-in';

/** A fix that needs no person. */
export type UnattendedFix = 'renew' | 'tighten' | 'reconnect' | 'own-cli';

/** Whether a fix is a sign-in. */
export const isSignInFix = (fix: string | undefined): fix is SignInFix =>
  fix === 'sign-in' || fix === 'assistants-sign-in';

/** The subject of a check, from the bottom up: each layer depends on those before it in the list. */
export type Layer = 'machine' | 'network' | 'platform' | 'identity-provider' | 'sign-in' | 'mcp' | 'assistants';

/** The result of a check. */
export type Finding = {
  readonly verdict: CheckVerdict;
  /** The observation in a few words: an address, a number, a name. */
  readonly saw: string;
  /** The meaning of the observation, unless all is well. */
  readonly sentence?: string;
  /** The advice to the person. */
  readonly remedy?: Remedy;
  /**
   * The code of the failure, or of the one that a warning announces for later. A skipped check has the code of an earlier
   * failure that it does not repeat.
   */
  readonly code?: ErrorCode;
  readonly fix?: Fix;
  /** The ID of the failed check that this one depends on. */
  readonly because?: string;
  /** Set if the failure is about the sign-in or the role of the assistants' own account. */
  readonly isOfAssistants?: true;
};

/** A finding with the check that made it. */
export type Outcome = Omit<Finding, 'remedy'> & {
  /** The advice to the person, in words. */
  readonly remedy?: string;
  readonly id: string;
  readonly title: string;
  readonly layer?: Layer;
  /** The part of the platform that the check asked. Absent if it asked none, or several. */
  readonly server?: ServerName;
  /**
   * The argument of `setup explain` for this outcome: the code of the failure, or of the check. Absent if all is well.
   */
  readonly explain?: string;
  /** How long the check took, in milliseconds. */
  readonly ms: number;
  /** The last call of the check as a curl line, without secrets. Absent if the check made no call, or all is well. */
  readonly curl?: string;
};

export const pass = (saw: string): Finding => ({verdict: 'pass', saw});

export const warn = (saw: string, sentence: string, remedy: Remedy, fix?: Fix): Finding => ({
  verdict: 'warning',
  saw,
  sentence,
  remedy,
  ...(fix ? {fix} : {}),
});

/** Returns the finding of a check that was skipped because the check that it depends on failed. */
export const skippedWithout = ({id, title}: Pick<Outcome, 'id' | 'title'>): Finding => ({
  verdict: 'skipped',
  saw: `skipped: needs “${title}”`,
  because: id,
});

/** Counts the outcomes of each verdict, in words. */
export const summaryOf = (outcomes: readonly Outcome[]): string => {
  const count = (verdict: CheckVerdict) => outcomes.filter(one => one.verdict === verdict).length;
  return `${count('pass')} pass, ${count('warning')} warn, ${count('fail')} fail, ${count('skipped')} skipped`;
};

/** The titles of the layers, from the bottom up. */
export const layerName: Readonly<Record<Layer, string>> = {
  machine: 'This machine',
  network: 'Network',
  platform: 'Platform',
  'identity-provider': 'Identity provider',
  'sign-in': 'Sign-in and token',
  mcp: 'MCP servers',
  assistants: 'Assistants',
};

/** The result of a diagnosis, in one sentence. */
export type Verdict = {
  /** `incomplete` if nothing is broken, but something could not be checked without a sign-in. */
  readonly state: 'works' | 'warnings' | 'incomplete' | 'broken';
  /** Without a full stop, because it is shown as a heading. */
  readonly sentence: string;
  /** The layer of the finding that decided the verdict, if there is one. */
  readonly layer?: Layer;
  readonly check?: string;
  /** The argument of `setup explain`. */
  readonly code?: string;
  /** A line for the people whose turn it is, if it is not the person's own. */
  readonly handOn?: string;
};

/**
 * Returns one verdict on all outcomes. The first failure from the bottom up counts as the cause of the others.
 *
 * @param sentenceOn returns what is wrong after a failure, as a sentence without a full stop
 */
export const verdictOn = (
  outcomes: readonly Outcome[],
  sentenceOn: (failed: Outcome) => string | undefined = () => undefined,
): Verdict => {
  const about = (outcome: Outcome) => ({
    ...(outcome.layer ? {layer: outcome.layer} : {}),
    check: outcome.id,
    ...(outcome.explain ? {code: outcome.explain} : {}),
  });
  const failed = outcomes.find(({verdict}) => verdict === 'fail');
  if (failed) {
    return {state: 'broken', sentence: sentenceOn(failed) ?? `${failed.title} failed`, ...about(failed)};
  }
  const warnings = outcomes.filter(({verdict}) => verdict === 'warning');
  const [warned] = warnings;
  const waiting = outcomes.find(({verdict, remedy}) => verdict === 'skipped' && remedy !== undefined);
  if (waiting?.code !== undefined) {
    const sentence = 'Nothing else is broken, but the last sign-in failed. Sign in again to see whether it works now';
    return {state: 'incomplete', sentence, ...about(waiting)};
  }
  if (waiting) {
    const without = `without a ${waiting.id === 'token' ? 'valid token' : 'sign-in'}`;
    const sentence = warned
      ? `Nothing is broken so far, but ${warningsIn(warnings)}. ${capitalized(without)}, not everything can be checked`
      : `Nothing is broken so far, but ${without} not everything can be checked`;
    return {state: 'incomplete', sentence, ...about(waiting)};
  }
  if (!warned) return {state: 'works', sentence: 'Everything works'};
  return {state: 'warnings', sentence: `No check failed, but ${warningsIn(warnings)}`, ...about(warned)};
};

/** Says how many warnings there are, and what the first ones say. */
const warningsIn = (warnings: readonly Outcome[]): string => {
  const named = warnings
    .slice(0, MOST_WARNINGS)
    .map(({sentence, title}) => firstSentence(sentence || title).replace(/\.$/, ''))
    .join('; ');
  if (warnings.length === 1) return `there is one warning: ${named}`;
  return `there are ${warnings.length} warnings${warnings.length > MOST_WARNINGS ? ', among them' : ''}: ${named}`;
};

/** The number of warnings that a verdict names. */
const MOST_WARNINGS = 2;

/**
 * Returns where something is broken: the layer, and the check in it. The other verdicts name several checks, such as
 * warnings and a missing sign-in, so no place goes with them.
 */
export const placeOf = ({state, layer, check}: Verdict, outcomes: readonly Outcome[]): string | undefined => {
  if (state !== 'broken') return undefined;
  const found = outcomes.find(({id}) => id === check);
  return found && layer ? `${layerName[layer]}: ${lowered(found.title)}` : undefined;
};

/** Puts a title in the middle of a sentence: abbreviations, and the name Node, keep their capitals. */
const lowered = (title: string) =>
  /^\p{Lu}\p{Ll}/u.test(title) && !/^Node\b/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title;

/** The outcomes of one layer, and whether the person has to see any of them. */
export type LayerOutcomes = {
  readonly layer: Layer;
  readonly outcomes: readonly Outcome[];
  readonly isTroubled: boolean;
};

/** Groups outcomes by layer, in the order of the checks. An outcome without a layer counts as `machine`. */
export const byLayer = (outcomes: readonly Outcome[]): readonly LayerOutcomes[] =>
  [...Map.groupBy(outcomes, ({layer = 'machine'}) => layer)].map(([layer, own]) => ({
    layer,
    outcomes: own,
    isTroubled: own.some(needsAttention),
  }));

/** Whether the person has to read an outcome: a failure, a warning, or a skipped check with a remedy. */
export const needsAttention = ({verdict, remedy}: Outcome): boolean =>
  verdict === 'fail' || verdict === 'warning' || (verdict === 'skipped' && remedy !== undefined);
