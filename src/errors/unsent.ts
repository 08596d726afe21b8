import {SetupError} from './errors.ts';

/** Rethrows an error from before a request was sent, marked as such: nothing was carried out. */
export const throwUnsent = (error: unknown): never => {
  throw error instanceof SetupError ? error.with({isUnsent: true}) : error;
};
