import type {Stopping} from '../../screens/parts/suspend.tsx';

/**
 * Creates the functions that stop this process by SIGTSTP, with the system's behaviour: nothing happens without a shell
 * that could continue it with `fg`. Undefined on Windows, which has no such signal.
 */
export const createStopping = (): Stopping | undefined => {
  if (process.platform === 'win32') return undefined;
  const wanted = new Set<() => void>();
  const onSignal = () => {
    for (const one of wanted) one();
  };
  let isExpected = false;
  const stop = (whom: number) => {
    // With a listener the signal does not stop the process; without one it stops before the next line.
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
