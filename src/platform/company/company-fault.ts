import type {ErrorCode} from '../../errors/errors.ts';

type CompanyFileCode = Extract<ErrorCode, `input-company-file-${string}`>;

/** What is wrong with a company file: where, and as which error it is refused. Both texts may hold what the file does. */
export type CompanyFault = {readonly code: CompanyFileCode; readonly path: string; readonly sentence: string};
