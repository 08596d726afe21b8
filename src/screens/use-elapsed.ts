import {useEffect, useState} from 'react';

/** What takes less than this is not worth a clock, in milliseconds. */
const PATIENCE = 300;
const TICK = 100;

/** Milliseconds since `subject` began, in steps that the eye can follow; undefined while it is still quick. */
export const useElapsed = (subject: string): number | undefined => {
  const [elapsed, setElapsed] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject starts the clock again.
  useEffect(() => {
    const started = performance.now();
    setElapsed(0);
    const timer = setInterval(() => setElapsed(performance.now() - started), TICK);
    return () => clearInterval(timer);
  }, [subject]);
  return elapsed < PATIENCE ? undefined : elapsed;
};
