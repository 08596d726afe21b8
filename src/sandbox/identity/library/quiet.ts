let running = 0;
let restore = () => {};

/**
 * Runs something during which the protocol library's own notices stay off the console. It prints them there while it is
 * loaded and set up, and has no switch for that; a sandbox says nothing but its own lines. All else still gets through.
 */
export const quiet = async <Result>(run: () => Result | Promise<Result>): Promise<Result> => {
  // Sandboxes that start at the same time share one muzzle: the last one to finish takes it off.
  if (running++ === 0) restore = muzzle();
  try {
    return await run();
  } finally {
    if (--running === 0) restore();
  }
};

const muzzle = () => {
  const {info, warn} = console;
  const unlessNotice =
    (print: typeof info): typeof info =>
    (...args) => {
      if (!/oidc-provider (NOTICE|WARNING)/.test(String(args[0]))) print(...args);
    };
  Object.assign(console, {info: unlessNotice(info), warn: unlessNotice(warn)});
  return () => {
    Object.assign(console, {info, warn});
  };
};
