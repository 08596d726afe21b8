import type {Explanation} from './explanation.ts';

export const inputExplanations = {
  'input-required': {
    name: 'answer missing',
    means: 'An answer is missing, and there is no terminal to ask in.',
    why: 'The command ran where nobody can answer questions, such as in CI or under an agent, and a required flag or name was missing.',
  },
  'input-invalid': {
    name: 'value not usable',
    means: 'A value has the wrong form.',
    why: 'A typo, or a value meant for another flag.',
  },
  'input-usage': {
    name: 'command line not understood',
    means: 'There is no such command or flag, or there is an extra argument.',
    why: 'A typo, or a command from another version.',
  },
} as const satisfies Record<string, Explanation>;
