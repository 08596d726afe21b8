import {Box} from 'ink';
import {type Binding, nameOf} from './keys.tsx';
import {Text} from './text.tsx';
import {useGlyphs} from './theme.ts';

const everywhere = [
  ['Ctrl-C', 'leave at once; nothing is left half done'],
  ['Ctrl-Z', 'stop for now; fg in the shell goes on'],
] as const;

/** Every key that works on the screen below, from the table that handles them. */
export function KeyHelp({bindings}: {readonly bindings: readonly Binding[]}) {
  const {upDown} = useGlyphs();
  const rows = bindings.flatMap(({keys, label, name}) =>
    // One that goes up has one beside it that goes down.
    label
      ? [
          [
            name ?? (keys[0] === 'up' ? `${upDown}${keys.includes('k') ? ', k, j' : ''}` : keys.map(nameOf).join(', ')),
            label,
          ] as const,
        ]
      : [],
  );
  return (
    <Box flexDirection="column" paddingLeft={2}>
      <Text bold>Keys</Text>
      {[...rows, ...everywhere].map(([keys, label]) => (
        <Box key={`${keys} ${label}`} columnGap={2}>
          <Box width={16} flexShrink={0}>
            <Text>{keys}</Text>
          </Box>
          <Text>{label}</Text>
        </Box>
      ))}
    </Box>
  );
}
