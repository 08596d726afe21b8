declare module 'undici/lib/util/timers.js' {
  /** Forgets every timer that was set by undici. */
  export const reset: () => void;
}
