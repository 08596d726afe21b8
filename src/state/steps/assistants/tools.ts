import {aboutTokens, sumOf, type ToolChoice, type ToolPreset, toolChoices} from '../../../domain/tool-sets.ts';
import type {Run} from '../../../flows/flow.ts';
import {runTokensOf} from '../../derived/wizard-context.ts';
import {targetsOf, toolSetsIn, usualTools} from '../../derived/wizard-targets.ts';
import type {WizardState} from '../../model.ts';
import type {StepFlow} from '../../step.ts';
import type {AssistantsView, ToolsView} from '../../view/view.ts';

/** Returns the choice of tools, if the release has sets of them. */
export const toolsView = (state: WizardState): Pick<AssistantsView, 'tools'> => {
  if (!toolSetsIn(state)) return {};
  const tools: ToolsView = {
    choices: toolChoices,
    usual: usualTools(state),
    say: choice => describe(state, choice),
    look: choice => (choice === 'all' || isKnown(state, choice) ? undefined : {type: 'tools-looked-at', tools: choice}),
  };
  return {tools};
};

/** Returns the flow that finds out the cost of a preset that the person has looked at; undefined if all are known. */
export const findToolCost = (state: WizardState): StepFlow | undefined => {
  const preset = state.looked?.find(one => !isKnown(state, one));
  const entry = targetsOf(state).every.find(({server}) => server === 'control-plane');
  if (preset === undefined || !entry) return undefined;
  return async ({facts}, run: Run) => {
    const {toolCost} = await import('../../../flows/platform-tools/list-tools.ts');
    const cost = await toolCost({entry, tools: preset, tokens: runTokensOf(state)}, run);
    return {toolCosts: {...facts.toolCosts, [preset]: cost}};
  };
};

const isKnown = ({facts}: WizardState, preset: ToolPreset) =>
  facts.toolCosts !== undefined && preset in facts.toolCosts;

const names: Readonly<Record<ToolPreset, string>> = {build: 'I build services', run: 'I run the platform'};

/** Describes a choice with its cost in the servers of the entries. A preset narrows the control plane's tools only. */
const describe = (state: WizardState, choice: ToolChoice): string => {
  const {facts, settings} = state;
  const {servers} = settings;
  const entered = (facts.check?.servers ?? []).filter(({server}) => !servers || servers.includes(server));
  const all = sumOf(entered);
  if (choice === 'all') return `all ${all.tools}, ${aboutTokens(all.tokens)}`;
  if (!isKnown(state, choice)) return `${names[choice]}: counting…`;
  const cost = facts.toolCosts?.[choice];
  if (!cost) return names[choice];
  const {tools, tokens} = sumOf([cost, ...entered.filter(({server}) => server !== 'control-plane')]);
  return `${names[choice]}: ${tools} of ${all.tools}, ${aboutTokens(tokens)}`;
};
