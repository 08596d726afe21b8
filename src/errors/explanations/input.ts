import type {Explanation} from './explanation.ts';

export const inputExplanations = {
  'input-required': {
    name: 'answer missing',
    means: 'An answer is missing, and there is no terminal to ask in.',
    why: 'The command ran in CI or was started by an agent without the flag, or it needs a name.',
  },
  'input-invalid': {
    name: 'value not usable',
    means: 'A value has the wrong form.',
    why: 'A typo, or a value meant for another flag.',
  },
  'input-usage': {
    name: 'command line not understood',
    means: 'The command or flag does not exist, or there is an extra word.',
    why: 'A typo, or a command from another version.',
  },
} as const satisfies Record<string, Explanation>;
