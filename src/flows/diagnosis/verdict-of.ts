import type {Outcome} from '../../domain/finding.ts';
import {type Verdict, verdictOn} from '../../domain/finding.ts';
import type {ErrorCode} from '../../errors/errors.ts';
import {explanations} from '../../errors/explanations/explanations.ts';
import {explanationOfCheck} from './check-explanations.ts';

/** Returns the verdict on the outcomes of checks, with the names of their codes. */
export const verdictOf = (outcomes: readonly Outcome[]): Verdict => verdictOn(outcomes, nameOf);

const nameOf = (code: string): string | undefined =>
  Object.hasOwn(explanations, code) ? explanations[code as ErrorCode].name : explanationOfCheck(code)?.name;
