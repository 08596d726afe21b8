import type {Context} from './context.ts';

/** What is saved of the deployments that the person is connected to. No secrets. */
export type Config = {
  readonly version: 1;
  readonly currentContext?: string;
  readonly contexts: readonly Context[];
};
