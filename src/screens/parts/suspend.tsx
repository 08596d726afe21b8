import {useApp, useInput} from 'ink';
import {useEffect, useRef} from 'react';

/** How this process is stopped and continues, by the keyboard or by signals. */
export type Stopping = {
  /** Stops this process together with its process group. Returns once it continues. */
  readonly stopAll: () => void;
  /** Stops this process alone, as the sender of the signal wants. Returns once it continues. */
  readonly stopThis: () => void;
  /**
   * Calls `onStop` when a signal asks the process to stop (SIGTSTP), and `onGoOn` when the process continues after it was
   * stopped without being asked (SIGSTOP).
   */
  readonly listen: (onStop: () => void, onGoOn: () => void) => () => void;
};

/** Handles Ctrl-Z and stop signals: restores the terminal, stops, and draws again after `fg` in the shell. */
export function Suspend({stopping}: {readonly stopping: Stopping}) {
  const {suspendTerminal} = useApp();
  const isAway = useRef(false);
  const away = async (stop: () => void) => {
    if (isAway.current) return;
    isAway.current = true;
    try {
      await suspendTerminal(async () => stop());
    } finally {
      isAway.current = false;
    }
  };
  const latest = useRef(away);
  latest.current = away;
  useInput((input, key) => {
    if (key.ctrl && input === 'z') void away(stopping.stopAll);
  });
  useEffect(
    () =>
      stopping.listen(
        () => void latest.current(stopping.stopThis),
        // The shell has used the terminal meanwhile, so it is set up and drawn again.
        () => void latest.current(() => {}),
      ),
    [stopping],
  );
  return null;
}
