import {remedyInWords, remedyText} from '../../src/errors/describe-error.ts';
import {type Remedy, SetupError} from '../../src/errors/errors.ts';

/**
 * Gives an error or a finding its remedy in words, as a person reads it at a prompt; of a promise, the error that it
 * rejects with.
 */
export const worded = <T>(failed: T): T => {
  if (failed instanceof SetupError) return Object.assign(failed, {remedy: remedyText(failed)});
  if (failed instanceof Promise) {
    return failed.catch(error => {
      throw worded(error);
    }) as T;
  }
  return hasRemedy(failed) ? {...failed, remedy: remedyInWords(failed.remedy)} : failed;
};

const hasRemedy = (value: unknown): value is {readonly remedy: Remedy} =>
  typeof value === 'object' && value !== null && 'remedy' in value && value.remedy !== undefined;
