import {useApp, usePaste} from 'ink';
import {createContext, type ReactNode, useContext, useEffect, useState} from 'react';
import {useInput} from './use-input.ts';

const LeavingContext = createContext(false);

export const LeavingProvider = LeavingContext.Provider;

/** Whether this is the last frame, which stays in the scrollback: no key works there any more. */
export const useIsLeaving = (): boolean => useContext(LeavingContext);

/** @param keeps true if the frame stays on the screen; otherwise it is removed */
type Leave = (how: string, keeps?: boolean) => void;

const LeaveContext = createContext<Leave>(() => {});

type Props = {
  /** Whether other screens are drawn afterwards in the same place. */
  readonly isPassing: (how: string) => boolean;
  /** Called before the last frame is drawn, if that frame stays. */
  readonly onLast: () => void;
  readonly children: ReactNode;
};

/** Provides `useLeave`. The last frame is removed, or stays in the scrollback without its keys and hints. */
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

/** Returns the function that closes the screens. */
export const useLeave = (): Leave => useContext(LeaveContext);

/**
 * Handles the keys of the whole screen: Ctrl-C leaves from anywhere, and a paste that no field takes is ignored.
 * `usePaste` makes the terminal mark pastes; without the marks, each pasted character would be a key.
 */
export const useInterrupt = (leave: () => void): void => {
  useInput((input, key) => {
    if (key.ctrl && input === 'c') leave();
  });
  usePaste(() => {});
};
