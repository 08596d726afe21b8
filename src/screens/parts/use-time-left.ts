import {useEffect, useState} from 'react';

/** The time until `until` as `4:41`, counted down. Both are milliseconds since the epoch. */
export const useTimeLeft = (until: number, now: () => number): string => {
  const [at, setAt] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), 1_000);
    return () => clearInterval(timer);
  }, [now]);
  const seconds = Math.max(0, Math.round((until - at) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
