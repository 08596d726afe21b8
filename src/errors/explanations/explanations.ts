import {type ErrorCode, SetupError} from '../errors.ts';
import {authExplanations} from './auth.ts';
import {companyFileExplanations} from './company-file.ts';
import type {Explanation} from './explanation.ts';
import {inputExplanations} from './input.ts';
import {localExplanations} from './local.ts';
import {networkExplanations} from './network.ts';
import {platformExplanations} from './platform.ts';

/** Every code with what it means; one that is missing does not compile. */
export const explanations: Readonly<Record<ErrorCode, Explanation>> = {
  ...inputExplanations,
  ...companyFileExplanations,
  ...networkExplanations,
  ...authExplanations,
  ...platformExplanations,
  ...localExplanations,
};

/** How what a code stands for is mended, as the table of errors has it for want of anything more particular. */
export const remedyOf = (code: ErrorCode): string => new SetupError(code, '').remedy;
