/** Looking at everything between a person and the platform, layer by layer, and mending what this program can. */
import {lazyFunction} from '../lazy.ts';

export type {Check, Machine, Subject, UnsavedSignIn} from './check.ts';
/** The command that signs in to what is looked at. */
export {loginCommand} from './check.ts';
/** What each fix will do, as a sentence. */
export {fixDescriptions} from './fix-says.ts';

/** Every check of a deployment, from the ground up. */
export const checksOf = /* @__PURE__ */ lazyFunction(async () => (await import('./all-checks.ts')).checksOf);

/** The verdict on what the checks found. */
export const verdictOf = /* @__PURE__ */ lazyFunction(async () => (await import('./verdict-of.ts')).verdictOf);

/** What the code of a check's warnings means. */
export const explanationOfCheck = /* @__PURE__ */ lazyFunction(
  async () => (await import('./check-explanations.ts')).explanationOfCheck,
);

/** Runs every check, and tells each as it ends. */
export const diagnose = /* @__PURE__ */ lazyFunction(async () => (await import('./diagnose.ts')).diagnose);

/** Does what a check offers. */
export const applyFix = /* @__PURE__ */ lazyFunction(async () => (await import('./fixes.ts')).applyFix);

/** Writes a report that is known to hold no secret. */
export const saveReport = /* @__PURE__ */ lazyFunction(async () => (await import('./report.ts')).saveReport);
