import type {Context} from './context.ts';

/** What is saved of the deployments that the person is connected to. No secrets. */
export type Config = {
  readonly version: 1;
  readonly currentContext?: string;
  readonly contexts: readonly Context[];
};

/**
 * The context that is worked with unless another is named: the one that was made current, or the first where none was, or
 * where that one is gone. Undefined where nothing is saved.
 */
export const currentContextIn = ({contexts, currentContext}: Config): Context | undefined =>
  contexts.find(({name}) => name === currentContext) ?? contexts[0];

/** The context of that name; the current one where none is named. Undefined where there is no such context. */
export const findContext = (config: Config, name?: string): Context | undefined =>
  name === undefined ? currentContextIn(config) : config.contexts.find(one => one.name === name);
