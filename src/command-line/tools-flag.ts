import {type ToolChoice, toolChoices} from '../domain/tool-sets.ts';
import {SetupError} from '../errors/errors.ts';
import type {FlagValues} from './flags.ts';

/** Which tools `--tools` names. @throws SetupError `input-invalid` */
export const toolsIn = ({tools: given}: FlagValues): ToolChoice | undefined => {
  const found = toolChoices.find(choice => choice === given);
  if (found !== undefined || given === undefined) return found;
  const remedy = 'build is for those who build services, run for those who run the platform.';
  throw new SetupError('input-invalid', `--tools takes ${toolChoices.join(', ')}; not ${given}.`, {
    about: {flag: 'tools'},
    remedy,
  });
};
