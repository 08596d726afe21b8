import type {Row} from '../error-row.ts';
import {BUG, CANCELLED} from '../exit-codes.ts';

/** Codes for runs that end without one of the other failures. */
export const programCodes = {
  'warnings-only': {
    exit: 1,
    whose: 'you',
    name: 'warnings only',
    means: 'There are warnings, and --strict treats them as failures.',
    why: 'See each warning.',
    remedy: {
      do: 'Read the warnings: each says what to do. No check failed.',
      flag: 'To accept warnings, leave out --strict.',
    },
  },
  bug: {
    exit: BUG,
    whose: 'us',
    name: 'bug in this program',
    verdict: 'this program has a bug',
    means: 'Something happened that this program did not expect.',
    why: 'This is a bug in platform-setup.',
    remedy:
      'Please report it where you got platform-setup from, with what the program printed; read that before you pass it on.',
  },
  cancelled: {
    exit: CANCELLED,
    whose: 'you',
    name: 'cancelled',
    means: 'The run was ended early.',
    why: 'Ctrl-C, a signal, or a closed terminal.',
    remedy:
      'Run the same command again; if it changes something on the platform, check there first. No file was left half written.',
  },
} as const satisfies Record<string, Row>;
