import {Box} from 'ink';
import {type ReactNode, useState} from 'react';
import {SETUP} from '../../setup-command.ts';
import type {CallLine} from '../../state/model.ts';
import type {Binding} from './keys.tsx';
import {Prose, Text, usePrint} from './safe-text.tsx';
import {useSize} from './size.tsx';
import {color, useGlyphs} from './theme.ts';

/** The rows that the title, the sentence about the token and the keys take. */
const AROUND = 8;

type Answered = Pick<CallLine, 'call' | 'answer'>;

/**
 * Returns a view of the answered calls, each as the `curl` line that does the same, with shell variables for secrets.
 * The view shows as many of the latest calls as fit. Keys lead to earlier calls and print the lines for copying.
 */
export const useCalls = (
  calls: readonly Answered[],
): {readonly bindings: readonly Binding[]; readonly view: ReactNode} => {
  const {rows, columns} = useSize();
  const print = usePrint();
  // The number of latest calls that are skipped.
  const [passed, setPassed] = useState(0);
  const answered = calls.flatMap(({call, answer}) => (answer ? [{call, ...answer}] : []));
  const end = answered.length - Math.min(passed, Math.max(0, answered.length - 1));
  const shown = fitting(answered.slice(0, end), rows - AROUND, columns);
  const from = end - shown.length;
  const bindings: readonly Binding[] = [
    ...(shown.length < answered.length
      ? [
          {keys: ['up', 'k'], label: 'earlier', run: () => setPassed(from > 0 ? answered.length - from : passed)},
          {keys: ['down', 'j'], run: () => setPassed(Math.max(0, passed - shown.length))},
        ]
      : []),
    {
      keys: ['p'],
      label: 'print, to copy',
      // Above the frame, on lines of their own that are not wrapped.
      run: () => print(answered.map(({curl}) => curl).join('\n')),
    },
  ];
  const title = shown.length === answered.length ? 'Calls so far' : `Calls ${from + 1} to ${end} of ${answered.length}`;
  const view = (
    <Box flexDirection="column" paddingLeft={2} rowGap={1}>
      <Text bold>{title}</Text>
      {shown.map(({call, result, ms, curl}) => (
        <Box key={call} flexDirection="column">
          <Text>
            {result} in {ms} ms
          </Text>
          <Text wrap="hard">{curl}</Text>
        </Box>
      ))}
      {shown.some(({curl}) => /[$:%]ACCESS_TOKEN\b/.test(curl)) ? (
        <Prose>Once you are signed in, {SETUP} token prints the value of ACCESS_TOKEN.</Prose>
      ) : null}
    </Box>
  );
  return {bindings, view};
};

/** Returns as many of the latest calls as fit, but at least one. */
const fitting = <C extends {readonly curl: string}>(
  calls: readonly C[],
  room: number,
  columns: number,
): readonly C[] => {
  let used = 0;
  const isFull = calls.toReversed().findIndex(({curl}) => {
    used += 2 + Math.ceil(curl.length / Math.max(1, columns - 2));
    return used > room;
  });
  return isFull < 0 ? calls : calls.slice(-Math.max(1, isFull));
};

/** Shows the calls of a step as they happen: method, address, result, milliseconds. */
export function CallTicker({calls, most}: {readonly calls: readonly CallLine[]; readonly most: number}) {
  const {ellipsis, warning} = useGlyphs();
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {calls.slice(-most).map(({call, method, url, answer}) => (
        <Box key={call} columnGap={2}>
          <Box flexShrink={1} minWidth={0}>
            <Text wrap="truncate-middle">
              {method.padEnd(4)} {url}
            </Text>
          </Box>
          <Box flexShrink={0}>
            {answer ? (
              <Text>
                {answer.failed ? <Text color={color.warning}>{warning} </Text> : null}
                {/^\d+$/.test(answer.result) ? answer.result : 'failed'} {answer.ms} ms
              </Text>
            ) : (
              <Text>{ellipsis}</Text>
            )}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
