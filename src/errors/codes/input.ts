import type {Row} from '../error-row.ts';
import {INPUT} from '../exit-codes.ts';
import {phrase, setup} from '../remedy.ts';

/** Codes for a command line that is incomplete or wrong. */
export const inputCodes = {
  'input-required': {
    exit: INPUT,
    whose: 'you',
    name: 'answer missing',
    means: 'Something that the program needs was not given.',
    why: 'A name, a file or a flag was left out. Where nobody can answer questions, such as in CI or under an agent, the program cannot ask for it.',
    remedy:
      'Pass what the message names. If it is a question of the wizard, you can also run the command in a terminal.',
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
