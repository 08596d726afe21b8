declare module 'undici/lib/util/timers.js' {
  /** Forgets every timer that undici has set. */
  export const reset: () => void;
}
