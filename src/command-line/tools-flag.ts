import {type ToolChoice, toolChoices} from '../domain/tool-sets.ts';
import {SetupError} from '../errors/errors.ts';
import type {FlagValues} from './flags.ts';

/** Returns the tools that `--tools` names. @throws SetupError `input-invalid` */
export const toolsIn = ({tools: given}: FlagValues): ToolChoice | undefined => {
  const found = toolChoices.find(choice => choice === given);
  if (found !== undefined || given === undefined) return found;
  const remedy = 'Use build to build services, or run to run the platform.';
  throw new SetupError('input-invalid', `--tools takes ${toolChoices.join(', ')}, not ${given}.`, {
    about: {flag: 'tools'},
    remedy,
  });
};
