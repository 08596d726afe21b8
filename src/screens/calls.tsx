import {Box, Text} from 'ink';
import type {CallLine} from '../state/model.ts';
import {useSize} from './size.tsx';
import {color, useGlyphs} from './theme.ts';

/** What the title, the keys and the rail take of the screen, and about what one call does, in rows. */
const AROUND = 8;
const EACH = 4;

/** The calls that were made, each as the `curl` line that does the same; secrets are shell variables. */
export function Calls({calls}: {readonly calls: readonly Pick<CallLine, 'call' | 'answer'>[]}) {
  const {rows} = useSize();
  const most = Math.max(1, Math.floor((rows - AROUND) / EACH));
  const answered = calls.filter(({answer}) => answer).slice(-most);
  return (
    <Box flexDirection="column" paddingLeft={2} rowGap={1}>
      <Text bold>
        {answered.length === calls.length ? 'Calls so far' : `The last ${answered.length} of ${calls.length} calls`}
      </Text>
      {answered.map(({call, answer}) => (
        <Box key={call} flexDirection="column">
          <Text dimColor>
            {answer?.result} in {answer?.ms} ms
          </Text>
          <Text wrap="hard">{answer?.curl}</Text>
        </Box>
      ))}
    </Box>
  );
}

/** The calls of a step as they happen: method, address, result, milliseconds. */
export function CallTicker({calls, most}: {readonly calls: readonly CallLine[]; readonly most: number}) {
  const {ellipsis} = useGlyphs();
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {calls.slice(-most).map(({call, method, url, answer}) => (
        <Box key={call} columnGap={2}>
          <Box flexShrink={1} minWidth={0}>
            <Text dimColor wrap="truncate-middle">
              {method.padEnd(4)} {url}
            </Text>
          </Box>
          <Box flexShrink={0}>
            {answer ? (
              <Text dimColor={!answer.failed} {...(answer.failed ? {color: color.warning} : {})}>
                {/^\d+$/.test(answer.result) ? answer.result : 'failed'} {answer.ms} ms
              </Text>
            ) : (
              <Text dimColor>{ellipsis}</Text>
            )}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
