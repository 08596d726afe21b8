/** Getting a newer version of this program through npm. */
import {lazyFunction} from '../lazy.ts';

/** Which version is the newest. */
export const findNewest = /* @__PURE__ */ lazyFunction(async () => (await import('./npm.ts')).findNewest);

/** From where it is fetched. */
export const findRegistry = /* @__PURE__ */ lazyFunction(async () => (await import('./npm.ts')).findRegistry);

/** Has a version run a command. */
export const runVersion = /* @__PURE__ */ lazyFunction(async () => (await import('./npm.ts')).runVersion);
