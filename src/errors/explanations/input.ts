import type {Explanation} from './explanation.ts';

export const inputExplanations = {
  'input-required': {
    name: 'answer missing',
    means: 'Something has to be known, and there is no terminal to ask in.',
    why: 'A run in CI or by an agent without the flag, or a command that needs a name.',
  },
  'input-invalid': {
    name: 'value not usable',
    means: 'A value that was given cannot be what it should be.',
    why: 'A typing error, or a value of another flag.',
  },
  'input-usage': {
    name: 'command line not understood',
    means: 'There is no such command or flag, or a word too many.',
    why: 'A typing error, or a command of another version.',
  },
} as const satisfies Record<string, Explanation>;
