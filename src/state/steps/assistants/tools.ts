import {canOnlyLook} from '../../../domain/context.ts';
import {
  aboutTokens,
  presetIn,
  sumOf,
  type ToolChoice,
  type ToolCost,
  type ToolPreset,
  toolChoices,
} from '../../../domain/tool-sets.ts';
import type {Run} from '../../../flows/flow.ts';
import {runTokensOf} from '../../derived/wizard-context.ts';
import {targetsOf, toolSetsIn, usualTools} from '../../derived/wizard-targets.ts';
import type {WizardState} from '../../model.ts';
import type {StepFlow} from '../../step.ts';
import type {AssistantsView, ToolsView} from '../../view/view.ts';

/** Returns the choice of tools. The presets are among them only if the release has sets of tools. */
export const toolsView = (state: WizardState): Required<Pick<AssistantsView, 'tools'>> => {
  const hasSets = toolSetsIn(state) !== undefined;
  const tools: ToolsView = {
    choices: toolChoices.filter(choice => hasSets || presetIn(choice) === undefined),
    usual: usualTools(state),
    say: (choice, method) => {
      if (presetIn(choice) !== undefined && !hasSets) return `${describe(state, 'all')}; this release has no presets`;
      if (choice === 'look' && !canOnlyLook(method))
        return `${describe(state, 'all')}; only the bridge can limit an assistant to looking`;
      return describe(state, choice);
    },
    look: choice => {
      const preset = presetIn(choice);
      return preset === undefined || isKnown(state, preset) ? undefined : {type: 'tools-looked-at', tools: preset};
    },
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
  const share = ({tools, tokens}: ToolCost) => `${tools} of ${all.tools}, ${aboutTokens(tokens)}`;
  if (choice === 'all') return `all ${all.tools}, ${aboutTokens(all.tokens)}`;
  if (choice === 'look') return `only look: ${share(sumOf(entered.map(({reading}) => reading)))}`;
  if (!isKnown(state, choice)) return `${names[choice]}: counting…`;
  const cost = facts.toolCosts?.[choice];
  if (!cost) return names[choice];
  return `${names[choice]}: ${share(sumOf([cost, ...entered.filter(({server}) => server !== 'control-plane')]))}`;
};
