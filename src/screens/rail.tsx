import {Box, Text, useWindowSize} from 'ink';
import type {WizardState} from '../state/model.ts';
import {stageNames, stagesOf} from '../state/receipts.ts';
import {color, useGlyphs} from './theme.ts';

/** The title, and where in the wizard this is: all stages where there is room, else the current one with its number. */
export function Rail({state}: {readonly state: WizardState}) {
  const {columns} = useWindowSize();
  const glyphs = useGlyphs();
  const stages = stagesOf(state);
  const at = stages.findIndex(({status}) => status === 'current');
  const sign = {done: glyphs.done, current: glyphs.current, 'to-come': glyphs.waiting};
  const title = state.settings.demo ? 'Platform setup, demonstration' : 'Platform setup';
  const current = stages[at];
  return (
    <Box paddingLeft={2} columnGap={3} flexWrap="wrap" maxWidth={100}>
      <Box flexGrow={1} flexShrink={0}>
        <Text bold>{title}</Text>
      </Box>
      {columns >= 80 ? (
        <Box columnGap={2} flexShrink={0}>
          {stages.map(({stage, status}) => (
            <Text key={stage} {...(status === 'current' ? {color: color.accent} : {})} dimColor={status === 'to-come'}>
              {sign[status]} {stageNames[stage]}
            </Text>
          ))}
        </Box>
      ) : current ? (
        <Text color={color.accent}>
          {at + 1} of {stages.length}: {stageNames[current.stage]}
        </Text>
      ) : null}
    </Box>
  );
}
