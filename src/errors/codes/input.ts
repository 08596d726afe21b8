import type {Row} from '../error-row.ts';
import {INPUT} from '../exit-codes.ts';
import {phrase, setup} from '../remedy.ts';

/** Codes for a command line that is incomplete or wrong. */
export const inputCodes = {
  'input-required': {
    exit: INPUT,
    whose: 'you',
    name: 'answer missing',
    means: 'An answer is missing, and there is no terminal to ask in.',
    why: 'The command ran where nobody can answer questions, such as in CI or under an agent, and a required flag or name was missing.',
    remedy: 'Pass it as a flag, or run the command in a terminal.',
  },
  'input-invalid': {
    exit: INPUT,
    whose: 'you',
    name: 'value not usable',
    means: 'This program cannot use one of the values that you gave.',
    why: 'A typo, a file that is not there, or a value meant for another flag.',
    remedy: 'Correct the value and run the command again.',
  },
  'input-usage': {
    exit: INPUT,
    whose: 'you',
    name: 'command line not understood',
    means: 'There is no such command or flag, or there are too few or too many arguments.',
    why: 'A typo, or a command from another version.',
    remedy: phrase`See ${setup('', '--help')}.`,
  },
} as const satisfies Record<string, Row>;
