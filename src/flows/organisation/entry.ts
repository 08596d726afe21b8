/** What an organisation rolls out for a platform. */
import {lazyFunction} from '../lazy.ts';

export type {KitInput} from './export-kit.ts';
export type {KitFile} from './kit-file.ts';
export type {Group} from './platform-files.ts';

/** Makes everything that an administrator rolls out for a platform that answers. */
export const exportKit = /* @__PURE__ */ lazyFunction(async () => (await import('./export-kit.ts')).exportKit);
