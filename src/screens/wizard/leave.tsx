import {useApp} from 'ink';
import {createContext, type ReactNode, useContext, useEffect, useState} from 'react';
import {LeavingProvider} from '../parts/leaving.ts';

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
