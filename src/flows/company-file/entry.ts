/** Company files: what a company says of its platform, read from a file or an address, or found at a base domain. */
import {lazyFunction} from '../lazy.ts';

export {faultError} from './fault-error.ts';
export type {JudgedFile} from './read-company-file.ts';

/** Reads the company file that a person named, and judges it. */
export const judgeCompanyFile = /* @__PURE__ */ lazyFunction(
  async () => (await import('./read-company-file.ts')).judgeCompanyFile,
);

/** Reads the company file that a person named; one with a fault is refused. */
export const readCompanyFile = /* @__PURE__ */ lazyFunction(
  async () => (await import('./read-company-file.ts')).readCompanyFile,
);

/** Looks for the company file of a base domain beside the search for the platform. */
export const searchBesideCompanyFile = /* @__PURE__ */ lazyFunction(
  async () => (await import('./search-beside.ts')).searchBesideCompanyFile,
);

/** Writes a company file from a deployment that answers. */
export const writeCompanyFile = /* @__PURE__ */ lazyFunction(
  async () => (await import('./write-company-file.ts')).writeCompanyFile,
);
