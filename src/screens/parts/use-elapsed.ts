import {createContext, useContext, useEffect, useState} from 'react';

/** What takes less than this is not worth a clock, in milliseconds. */
const PATIENCE = 300;

/** Every how many milliseconds a clock on the screen goes on: seldom for who wants little to move. */
const TickContext = createContext(1_000);

export const TickProvider = TickContext.Provider;

/** Milliseconds since `subject` began, tick by tick; undefined while it is still quick. */
export const useElapsed = (subject: string): number | undefined => {
  const tick = useContext(TickContext);
  const [elapsed, setElapsed] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject starts the clock again.
  useEffect(() => {
    const started = performance.now();
    setElapsed(0);
    const timer = setInterval(() => setElapsed(performance.now() - started), tick);
    return () => clearInterval(timer);
  }, [subject, tick]);
  return elapsed < PATIENCE ? undefined : elapsed;
};
