import type {ToolChoice, ToolSets} from '../../domain/tool-sets.ts';
import {toolSetsOf} from '../../platform/recognise.ts';
import type {WizardState} from '../model.ts';
import {deploymentOf, platformOf} from './deployment-of.ts';

/** Returns the sets of tools to choose from, if entries for the control plane are written and its release has sets. */
export const toolSetsIn = (state: WizardState): ToolSets | undefined => {
  const {servers} = state.settings;
  if (servers && !servers.includes('control-plane')) return undefined;
  return toolSetsOf(platformOf(state), deploymentOf(state).version ?? state.facts.check?.serverVersion);
};

/** Returns the tools of an assistant for which nothing was chosen: the same as the connected ones have. */
export const usualTools = ({settings, answers}: WizardState): ToolChoice =>
  (answers.resume === 'connect' && settings.saved?.entries?.find(({tools}) => tools !== undefined)?.tools) || 'all';
