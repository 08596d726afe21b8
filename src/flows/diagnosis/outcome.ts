import type {Finding, Outcome} from '../../domain/finding.ts';
import {type Reader, remedyInWords} from '../../errors/describe-error.ts';

/** Returns the outcome of a check: its finding, with the remedy in words. */
export const outcomeOf = (
  check: Pick<Outcome, 'id' | 'title' | 'layer' | 'server' | 'ms'>,
  {remedy, ...finding}: Finding,
  reader: Reader = {},
): Outcome => ({
  ...check,
  ...finding,
  ...(remedy === undefined ? {} : {remedy: remedyInWords(remedy, reader)}),
});
