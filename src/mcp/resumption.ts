import {resumeDelay} from './resume-delay.ts';
import {lastEventIdHeader} from './sse.ts';

/** What a part of a stream told, as far as it matters to who takes the stream up when it breaks off. */
export type Heard = {
  /** The identifier of the last event; empty where no event had one. */
  readonly lastEventId: string;
  /** The server's wish for the pause before that, in milliseconds. */
  readonly retry: number | undefined;
  /** The identifiers of the messages that came, undefined for one without. */
  readonly messages: readonly (string | undefined)[];
};

/** Identifiers that are remembered, to tell a message that is said again. */
const MOST_KNOWN = 1_000;

/**
 * Where a stream of events is that may break off, and how often it was taken up without saying anything new (MCP
 * 2025-11-25, resumability). New is a message that did not come before: a server that closes the stream after nothing
 * but an identifier, or after the same messages, is asked less and less often.
 */
export const createResumption = () => {
  const known = new Set<string>();
  let lastEventId = '';
  let retry: number | undefined;
  let tries = 0;

  const isNew = (id: string | undefined): boolean => {
    if (id === undefined) return true;
    if (known.has(id)) return false;
    if (known.size < MOST_KNOWN) known.add(id);
    return true;
  };

  return {
    heard: (told: Heard): void => {
      if (told.lastEventId !== '') ({lastEventId} = told);
      // A wish holds until there is another.
      retry = told.retry ?? retry;
      if (told.messages.filter(isNew).length > 0) tries = 0;
    },
    /** Whether the server said where to go on. */
    get isPossible() {
      return lastEventId !== '';
    },
    /** How often the stream was taken up since something new was said. */
    get tries() {
      return tries;
    },
    headers: (): Readonly<Record<string, string>> =>
      lastEventId === '' ? {} : {'last-event-id': lastEventIdHeader(lastEventId)},
    /** Counts another try. Gives the pause before it, in milliseconds. @param broke what the last one failed with */
    next: (broke: unknown): number => {
      const delay = resumeDelay(tries, retry, broke);
      tries += 1;
      return delay;
    },
  };
};
