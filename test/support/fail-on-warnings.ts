/** Set where the listener is there already: files share a worker. */
const mark = Symbol.for('platform-setup.fails-on-warnings');

/** A warning of Node’s says that something is called as it must not be, or was forgotten: no test goes on over one. */
const failOnWarnings = (process: NodeJS.Process & {[mark]?: true}): void => {
  if (process[mark]) return;
  process[mark] = true;
  process.on('warning', warning => {
    // What a person may set, and a test does to see that it opens nothing.
    if (warning.message.includes('NODE_TLS_REJECT_UNAUTHORIZED')) return;
    throw warning;
  });
};

failOnWarnings(process);
