/** The size from which an answer shows the speed of its line, in bytes. */
const LARGE = 128 * 1024;

/** Below this a line is slow, in bytes per second: 2 Mbit/s. */
const SLOW = 256 * 1024;

/** The media type and the content coding of an answer, in lower case. */
type Form = {readonly type: string; readonly coding: string};

export type SlowLines = {
  /** Returns the coding that answers of an origin may have, for `Accept-Encoding` (RFC 9110 12.5.3). */
  accepted(origin: string): 'gzip' | 'identity';
  /** Measures an answer from its headers to its end. */
  watch(origin: string, form: Form): {heard(bytes: number): void; ended(): void};
};

/**
 * Asks a server to compress its answers after a large one has come slowly. On a fast line compression takes more time
 * than it saves.
 *
 * Only a whole answer in JSON is measured: the pauses of an event stream are the server's own. A server that compresses
 * streams may hold back messages of a pending call, so it is not asked again until another large answer comes slowly.
 *
 * @param now milliseconds
 */
export const createSlowLines = (now: () => number): SlowLines => {
  const slow = new Set<string>();
  return {
    accepted: origin => (slow.has(origin) ? 'gzip' : 'identity'),
    watch: (origin, {type, coding}) => {
      if (type === 'text/event-stream' && coding !== 'identity') slow.delete(origin);
      const begun = now();
      let size = 0;
      return {
        heard: bytes => {
          size += bytes;
        },
        ended: () => {
          const isTelling = type === 'application/json' && coding === 'identity' && size >= LARGE;
          if (isTelling && size < (SLOW * (now() - begun)) / 1_000) slow.add(origin);
        },
      };
    },
  };
};
