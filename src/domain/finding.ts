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
