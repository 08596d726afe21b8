/** What the platform needs of an identity provider, and whether it is there. */
import {lazyFunction} from '../lazy.ts';

/** Tries every requirement that can be tried without a person. */
export const checkProvider = /* @__PURE__ */ lazyFunction(
  async () => (await import('./check-provider.ts')).checkProvider,
);

/** Which kind of identity provider there is at an issuer. */
export const identifyProvider = /* @__PURE__ */ lazyFunction(
  async () => (await import('./identify-provider.ts')).identifyProvider,
);
