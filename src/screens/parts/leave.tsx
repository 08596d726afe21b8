import {useApp, usePaste} from 'ink';
import {createContext, type ReactNode, useContext, useEffect, useState} from 'react';
import {useInput} from './use-input.ts';

const LeavingContext = createContext(false);

export const LeavingProvider = LeavingContext.Provider;

/** Whether this is the last frame, which stays in the scrollback: no key works there any more. */
export const useIsLeaving = (): boolean => useContext(LeavingContext);

/** @param keeps whether what is on the screen is worth keeping; else it is taken away */
type Leave = (how: string, keeps?: boolean) => void;

const LeaveContext = createContext<Leave>(() => {});

type Props = {
  /** Whether something else is drawn after it, in its place. */
  readonly isPassing: (how: string) => boolean;
  /** Called before the last frame is drawn, where it stays. */
  readonly onLast: () => void;
  readonly children: ReactNode;
};

/** Lets screens be left: the last frame goes, or stays in the scrollback without what is of no use there. */
export function LeaveProvider({isPassing, onLast, children}: Props) {
  const {exit} = useApp();
  const [left, setLeft] = useState<{readonly how: string; readonly keeps: boolean}>();
  useEffect(() => {
    if (left !== undefined) exit(left.how);
  }, [left, exit]);
  const leave: Leave = (how, keeps = false) => {
    const stays = !isPassing(how) && keeps;
    if (stays) onLast();
    setLeft(known => known ?? {how, keeps: stays});
  };
  if (left?.keeps === false) return null;
  return (
    <LeavingProvider value={left !== undefined}>
      <LeaveContext value={leave}>{children}</LeaveContext>
    </LeavingProvider>
  );
}

/** What ends the drawing. */
export const useLeave = (): Leave => useContext(LeaveContext);

/**
 * What the whole screen does with keys: Ctrl-C leaves from anywhere, and a paste that nobody waits for does nothing. For
 * that the terminal has to say what is pasted, or each character of it would be a key.
 */
export const useInterrupt = (leave: () => void): void => {
  useInput((input, key) => {
    if (key.ctrl && input === 'c') leave();
  });
  usePaste(() => {});
};
