/** A duration as people say it, in its two largest units at most: `850 ms`, `58 min`, `1 h 5 min`. */
export const duration = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
};

/** How long ago something was, as people say it. */
export const ago = (ms: number): string => (ms < 60_000 ? 'just now' : `${duration(ms)} ago`);
