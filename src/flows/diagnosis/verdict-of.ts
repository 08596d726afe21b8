import type {Outcome} from '../../domain/finding.ts';
import {type Verdict, verdictOn} from '../../domain/finding.ts';
import {errorTable} from '../../errors/error-table.ts';
import type {ErrorCode} from '../../errors/errors.ts';
import {explanationOfCheck} from './check-explanations.ts';

/** Returns the verdict on the outcomes of checks, with the names of their codes. */
export const verdictOf = (outcomes: readonly Outcome[]): Verdict => verdictOn(outcomes, nameOf);

const nameOf = (code: string): string | undefined =>
  Object.hasOwn(errorTable, code) ? errorTable[code as ErrorCode].name : explanationOfCheck(code)?.name;
