import {type ErrorCode, SetupError} from '../errors.ts';
import {authExplanations} from './auth.ts';
import {companyFileExplanations} from './company-file.ts';
import type {Explanation} from './explanation.ts';
import {inputExplanations} from './input.ts';
import {localExplanations} from './local.ts';
import {networkExplanations} from './network.ts';
import {platformExplanations} from './platform.ts';

/** The explanations of all codes. A missing one is a compile-time error. */
export const explanations: Readonly<Record<ErrorCode, Explanation>> = {
  ...inputExplanations,
  ...companyFileExplanations,
  ...networkExplanations,
  ...authExplanations,
  ...platformExplanations,
  ...localExplanations,
};

/** Returns the general remedy of a code from the table of errors. */
export const remedyOf = (code: ErrorCode): string => new SetupError(code, '').remedy;
