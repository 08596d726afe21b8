import type {TestProject} from 'vitest/node';
import {startRegistry} from './registry.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin of the registry on loopback. */
    readonly registry: string;
  }
}

/** Packs the product, and serves it during the tests. */
export const setup = async ({provide}: TestProject): Promise<() => Promise<void>> => {
  const {origin, close} = await startRegistry();
  provide('registry', origin);
  return close;
};
