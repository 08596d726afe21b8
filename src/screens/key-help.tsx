import {Box, Text} from 'ink';
import {type Binding, nameOf} from './keys.tsx';

const editing = [
  ['← →, Home, End', 'move in a field'],
  ['Ctrl-U, Ctrl-W', 'clear the line, the word before'],
  ['Ctrl-C', 'leave at once; nothing is left half done'],
] as const;

/** Every key that works on the screen below, from the table that handles them. */
export function KeyHelp({bindings}: {readonly bindings: readonly Binding[]}) {
  const rows = bindings.flatMap(({keys, label}) => (label ? [[keys.map(nameOf).join(', '), label] as const] : []));
  return (
    <Box flexDirection="column" paddingLeft={2}>
      <Text bold>Keys</Text>
      {[...rows, ...editing].map(([keys, label]) => (
        <Box key={keys} columnGap={2}>
          <Box width={16} flexShrink={0}>
            <Text>{keys}</Text>
          </Box>
          <Text dimColor>{label}</Text>
        </Box>
      ))}
    </Box>
  );
}
