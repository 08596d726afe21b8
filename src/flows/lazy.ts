/**
 * A function whose module is loaded when it is first called, so that who only names it pays nothing for what it needs. What it
 * returns comes as a promise.
 *
 * Calls of this are marked as pure: else a bundler has to keep each of them, with the module behind it, wherever one is used.
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
