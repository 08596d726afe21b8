import type {Flow} from './flow.ts';

// Calls of these are marked as pure: else a bundler has to keep each of them, with the module behind it, wherever one is used.

/**
 * A flow whose module is loaded when it is first run, so that who only names it pays nothing for what it needs.
 *
 * @param load imports the module and gives its flow
 */
export const lazyFlow = <Input, Output>(load: () => Promise<Flow<Input, Output>>): Flow<Input, Output> =>
  async function* (input, ports, signal) {
    const flow = await load();
    return yield* flow(input, ports, signal);
  };

/**
 * A function whose module is loaded when it is first called. What it returns comes as a promise.
 *
 * @param load imports the module and gives its function
 */
export const lazyFunction =
  <Args extends readonly unknown[], Output>(
    load: () => Promise<(...args: Args) => Output | Promise<Output>>,
  ): ((...args: Args) => Promise<Output>) =>
  async (...args) => {
    const run = await load();
    return run(...args);
  };
