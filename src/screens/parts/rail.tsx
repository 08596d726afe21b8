import {Box} from 'ink';
import type {WizardState} from '../../state/model.ts';
import {stageNames, stagesOf} from '../../state/view/view-of.ts';
import {useSize} from './layout/size.tsx';
import {Text} from './text.tsx';
import {useGlyphs} from './theme.ts';

const titleOf = ({settings}: WizardState) => (settings.demo ? 'Platform setup, demonstration' : 'Platform setup');

/** From so many columns on the stages stand side by side. The last one of eighty is left free. */
const WIDE = 79;

const WIDEST = 100;
const GAP = 3;
const STAGE_GAP = 2;

/** How many rows the rail takes: one where title and stages stand side by side. */
export const useRailRows = (state: WizardState): number => {
  const {columns} = useSize();
  const stages = stagesOf(state);
  const wide = stages.reduce((sum, {stage}) => sum + stageNames[stage].length + 2 + STAGE_GAP, -STAGE_GAP);
  const current = stages.find(({status}) => status === 'current');
  const narrow = current ? `1 of ${stages.length}: ${stageNames[current.stage]}`.length : 0;
  const needed = titleOf(state).length + GAP + (columns >= WIDE ? wide : narrow);
  return needed <= Math.min(columns, WIDEST) - 2 ? 1 : 2;
};

/** The title, and where in the wizard this is: all stages where there is room, else the current one with its number. */
export function Rail({state}: {readonly state: WizardState}) {
  const {columns} = useSize();
  const glyphs = useGlyphs();
  const stages = stagesOf(state);
  const at = stages.findIndex(({status}) => status === 'current');
  const sign = {done: glyphs.done, current: glyphs.current, 'to-come': glyphs.waiting};
  const current = stages[at];
  return (
    <Box paddingLeft={2} columnGap={GAP} flexWrap="wrap" maxWidth={WIDEST}>
      <Box flexGrow={1} flexShrink={0}>
        <Text bold>{titleOf(state)}</Text>
      </Box>
      {columns >= WIDE ? (
        <Box columnGap={STAGE_GAP} flexShrink={0}>
          {stages.map(({stage, status}) => (
            <Text key={stage} bold={status === 'current'}>
              {sign[status]} {stageNames[stage]}
            </Text>
          ))}
        </Box>
      ) : current ? (
        <Text bold>
          {at + 1} of {stages.length}: {stageNames[current.stage]}
        </Text>
      ) : null}
    </Box>
  );
}
