/** Taking this program off the machine, with everything that it wrote. */
import {lazyFunction} from '../lazy.ts';

export type {UninstallPlan} from './plan-uninstall.ts';
export type {Uninstalled} from './uninstall.ts';

/** What there is to be removed. */
export const planUninstall = /* @__PURE__ */ lazyFunction(
  async () => (await import('./plan-uninstall.ts')).planUninstall,
);

/** Removes it. */
export const uninstall = /* @__PURE__ */ lazyFunction(async () => (await import('./uninstall.ts')).uninstall);
