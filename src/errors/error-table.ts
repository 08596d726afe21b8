import {authCodes} from './codes/auth.ts';
import {companyFileCodes} from './codes/company-file.ts';
import {inputCodes} from './codes/input.ts';
import {localCodes} from './codes/local.ts';
import {networkCodes} from './codes/network.ts';
import {platformCodes} from './codes/platform.ts';
import {programCodes} from './codes/program.ts';
import type {Row} from './error-row.ts';

/**
 * Every way in which this program can fail, with the exit code, who has to act, and the next step. A new row defines a
 * new code. A more specific remedy is given where the error is thrown.
 */
export const errorTable = {
  ...inputCodes,
  ...companyFileCodes,
  ...networkCodes,
  ...authCodes,
  ...platformCodes,
  ...localCodes,
  ...programCodes,
} as const;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as readonly ErrorCode[];

/** Returns the row of a code. A code that only another release knows, and has written to a file, counts as a bug. */
export const rowOf = (code: ErrorCode): Row => errorTable[code] ?? errorTable.bug;
