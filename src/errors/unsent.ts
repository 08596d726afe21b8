import {SetupError} from './errors.ts';

/** Rethrows what failed before a request was sent, so that nothing of it was carried out. */
export const throwUnsent = (error: unknown): never => {
  throw error instanceof SetupError ? error.with({isUnsent: true}) : error;
};
