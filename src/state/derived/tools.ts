import type {ToolChoice, ToolSets} from '../../domain/tool-sets.ts';
import {toolSetsOf} from '../../platform/recognise.ts';
import type {WizardState} from '../model.ts';
import {deploymentOf, platformOf} from './deployment-of.ts';

/** The sets of tools that can be asked for, where the control plane is entered and its release has them. */
export const toolSetsIn = (state: WizardState): ToolSets | undefined => {
  const {servers} = state.settings;
  if (servers && !servers.includes('control-plane')) return undefined;
  return toolSetsOf(platformOf(state), deploymentOf(state).version ?? state.facts.check?.serverVersion);
};

/** Which tools assistants get of which nobody has said it: those that the others have already. */
export const usualTools = ({settings, answers}: WizardState): ToolChoice =>
  (answers.resume === 'connect' && settings.saved?.entries?.find(({tools}) => tools !== undefined)?.tools) || 'all';
