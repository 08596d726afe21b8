import type {Stopping} from '../../screens/parts/suspend.tsx';

/**
 * Stops by SIGTSTP, with what the system does then: nothing where no shell is there that could say `fg`. Undefined on
 * Windows, which has no such thing.
 */
export const createStopping = (): Stopping | undefined => {
  if (process.platform === 'win32') return undefined;
  const wanted = new Set<() => void>();
  const onSignal = () => {
    for (const one of wanted) one();
  };
  let isExpected = false;
  const stop = (whom: number) => {
    // With a listener the signal does not stop; without one it does so before the next line.
    process.off('SIGTSTP', onSignal);
    isExpected = true;
    process.kill(whom, 'SIGTSTP');
    if (wanted.size > 0) process.on('SIGTSTP', onSignal);
  };
  return {
    stopAll: () => stop(0),
    stopThis: () => stop(process.pid),
    listen: (onStop, onGoOn) => {
      const onContinue = () => {
        if (!isExpected) onGoOn();
        isExpected = false;
      };
      wanted.add(onStop);
      process.on('SIGTSTP', onSignal);
      process.on('SIGCONT', onContinue);
      return () => {
        wanted.delete(onStop);
        process.off('SIGTSTP', onSignal);
        process.off('SIGCONT', onContinue);
      };
    },
  };
};
