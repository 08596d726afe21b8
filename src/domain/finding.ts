import type {ErrorCode} from '../errors/errors.ts';

export type CheckVerdict = 'pass' | 'warning' | 'fail' | 'skipped';

/** What can be done about an outcome by this program itself. */
export type Fix = 'sign-in' | 'tighten' | 'reconnect' | 'own-cli';

/** Where a check looks, from the ground up: what stands higher rests on what stands below. */
export type Layer = 'machine' | 'network' | 'platform' | 'identity-provider' | 'sign-in' | 'mcp' | 'assistants';

/** What a check found. */
export type Finding = {
  readonly verdict: CheckVerdict;
  /** What was seen, in a few words: an address, a number, a name. */
  readonly saw: string;
  /** What it means, where it is not simply well. */
  readonly sentence?: string;
  /** What to do about it. */
  readonly remedy?: string;
  readonly code?: ErrorCode;
  readonly fix?: Fix;
  /** The check whose ground is gone. */
  readonly because?: string;
};

/** A finding with the check that it is of. */
export type Outcome = Finding & {
  readonly id: string;
  readonly title: string;
  readonly layer?: Layer;
  /** What `setup explain` takes for it: the code of a failure, or that of the check. Absent where all is well. */
  readonly explain?: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
};

export const pass = (saw: string): Finding => ({verdict: 'pass', saw});

export const warn = (saw: string, sentence: string, remedy: string, fix?: Fix): Finding => ({
  verdict: 'warning',
  saw,
  sentence,
  remedy,
  ...(fix ? {fix} : {}),
});

/** What a check finds that has no ground, because another one failed. */
export const skippedWithout = ({id, title}: Pick<Outcome, 'id' | 'title'>): Finding => ({
  verdict: 'skipped',
  saw: `skipped: needs “${title}”`,
  because: id,
});

/** How many of each, in words. */
export const summaryOf = (outcomes: readonly Outcome[]): string => {
  const count = (verdict: CheckVerdict) => outcomes.filter(one => one.verdict === verdict).length;
  return `${count('pass')} pass, ${count('warning')} warn, ${count('fail')} fail, ${count('skipped')} skipped`;
};

/** How each layer is called, from the ground up. */
export const layerName: Readonly<Record<Layer, string>> = {
  machine: 'This machine',
  network: 'Network',
  platform: 'Platform',
  'identity-provider': 'Identity provider',
  'sign-in': 'Sign-in and token',
  mcp: 'MCP servers',
  assistants: 'Assistants',
};

/** What a diagnosis came to, in one sentence. */
export type Verdict = {
  /** `incomplete` where nothing is broken and something could not be looked at without a sign-in. */
  readonly state: 'works' | 'warnings' | 'incomplete' | 'broken';
  /** Without a full stop, as it stands above everything else. */
  readonly sentence: string;
  /** Of the finding that it goes by, where there is one. */
  readonly layer?: Layer;
  readonly check?: string;
  /** What `setup explain` takes. */
  readonly code?: string;
};

/**
 * One verdict on all outcomes: the first failure from the ground up is what the others come from.
 *
 * @param nameOf what a code is called, in a few words
 */
export const verdictOn = (outcomes: readonly Outcome[], nameOf: (code: string) => string | undefined): Verdict => {
  const about = (outcome: Outcome) => ({
    ...(outcome.layer ? {layer: outcome.layer} : {}),
    check: outcome.id,
    ...(outcome.explain ? {code: outcome.explain} : {}),
  });
  const failed = outcomes.find(({verdict}) => verdict === 'fail');
  if (failed) {
    const name = failed.explain === undefined ? undefined : nameOf(failed.explain);
    return {
      state: 'broken',
      sentence: `Broken at: ${lowered(failed.title)}${name ? `, ${name}` : ''}`,
      ...about(failed),
    };
  }
  const waiting = outcomes.find(({verdict, remedy}) => verdict === 'skipped' && remedy !== undefined);
  if (waiting) {
    return {
      state: 'incomplete',
      sentence: 'Nothing is broken so far, but not everything could be checked',
      ...about(waiting),
    };
  }
  const warnings = outcomes.filter(({verdict}) => verdict === 'warning');
  const [warned] = warnings;
  if (!warned) return {state: 'works', sentence: 'Everything works'};
  const count = warnings.length === 1 ? 'one warning' : `${warnings.length} warnings`;
  return {state: 'warnings', sentence: `Everything works, with ${count}`, ...about(warned)};
};

/** A title in the middle of a sentence: names and abbreviations keep their capitals. */
const lowered = (title: string) =>
  /^\p{Lu}\p{Ll}/u.test(title) && !/^Node\b/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title;

/** The outcomes of one layer, and whether there is anything in it that has to be seen. */
export type LayerOutcomes = {
  readonly layer: Layer;
  readonly outcomes: readonly Outcome[];
  readonly isTroubled: boolean;
};

/** Outcomes by layer, in the order of the checks. Those of no layer stand with the one before them. */
export const byLayer = (outcomes: readonly Outcome[]): readonly LayerOutcomes[] =>
  [...Map.groupBy(outcomes, ({layer = 'machine'}) => layer)].map(([layer, own]) => ({
    layer,
    outcomes: own,
    isTroubled: own.some(isTroubled),
  }));

/** What a person has to read: what failed, what is a warning, and what they can do something about. */
export const isTroubled = ({verdict, remedy}: Outcome): boolean =>
  verdict === 'fail' || verdict === 'warning' || (verdict === 'skipped' && remedy !== undefined);
