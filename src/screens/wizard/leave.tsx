import {useApp} from 'ink';
import {createContext, type ReactNode, useContext, useEffect, useState} from 'react';

type Leave = (how: string) => void;

const LeaveContext = createContext<Leave>(() => {});

type Props = {
  /** Whether something else is drawn after it, in its place. */
  readonly isPassing: (how: string) => boolean;
  readonly children: ReactNode;
};

/** Lets screens be left: their last frame stays where it is, or is taken away when something else comes in its place. */
export function LeaveProvider({isPassing, children}: Props) {
  const {exit} = useApp();
  const [left, setLeft] = useState<string>();
  useEffect(() => {
    if (left !== undefined) exit(left);
  }, [left, exit]);
  if (left !== undefined) return null;
  return <LeaveContext value={how => (isPassing(how) ? setLeft(how) : exit(how))}>{children}</LeaveContext>;
}

/** What ends the drawing. */
export const useLeave = (): Leave => useContext(LeaveContext);
