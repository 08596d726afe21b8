import {type ToolChoice, toolChoices} from '../domain/tool-sets.ts';
import {SetupError} from '../errors/errors.ts';
import type {FlagValues} from './flags.ts';

/** Returns the tools that `--tools` names. @throws SetupError `input-invalid` */
export const toolsIn = ({tools: value}: FlagValues): ToolChoice | undefined => {
  const found = toolChoices.find(choice => choice === value);
  if (found !== undefined || value === undefined) return found;
  const remedy = 'Use build to build services, run to run the platform, or look for tools that change nothing.';
  throw new SetupError('input-invalid', `--tools takes ${toolChoices.join(', ')}, not ${value}.`, {
    about: {flag: 'tools'},
    remedy,
  });
};
