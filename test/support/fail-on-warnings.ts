/** Marks a process that has the listener, because test files share a worker. */
const mark = Symbol.for('platform-setup.fails-on-warnings');

/** Makes every warning of Node fail the test: it means a wrong call or something forgotten. */
const failOnWarnings = (process: NodeJS.Process & {[mark]?: true}): void => {
  if (process[mark]) return;
  process[mark] = true;
  process.on('warning', warning => {
    // A person may set this variable, and a test sets it to see that it opens nothing.
    if (warning.message.includes('NODE_TLS_REJECT_UNAUTHORIZED')) return;
    throw warning;
  });
};

failOnWarnings(process);
