import {useApp, useInput} from 'ink';
import {useEffect, useRef} from 'react';

/** How this process is stopped and goes on, by the keyboard and by others. */
export type Stopping = {
  /** Stops this process, and whoever runs in its group with it. Returns once it goes on. */
  readonly stopAll: () => void;
  /** Stops this process alone, as who sent the signal wants it. Returns once it goes on. */
  readonly stopThis: () => void;
  /** Hears that somebody wants it to stop, and that it went on after a stop that nobody announced. */
  readonly listen: (onStop: () => void, onGoOn: () => void) => () => void;
};

/** Ctrl-Z, or a signal: gives the terminal back as it was, stops, and draws again once the shell says `fg`. */
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
        // The shell has had the terminal meanwhile.
        () => void latest.current(() => {}),
      ),
    [stopping],
  );
  return null;
}
