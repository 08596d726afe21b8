import {Box, Text, useInput, usePaste} from 'ink';
import {useState} from 'react';
import {edit, insert, type Line, lineOf} from './text-editing.ts';
import {color, useGlyphs} from './theme.ts';

export type Field = {readonly line: Line; readonly masked: boolean; readonly toggleMask: () => void};

/** One line that a person types or pastes. Keys that are not for editing pass by. */
export const useTextField = (initial: string, {secret = false, isActive = true} = {}): Field => {
  const [masked, setMasked] = useState(secret);
  const [line, setLine] = useState(() => lineOf(initial));
  useInput((input, key) => setLine(current => edit(current, input, key)), {isActive});
  usePaste(text => setLine(current => insert(current, secret ? text.trim() : text)), {isActive});
  return {line, masked, toggleMask: () => setMasked(current => secret && !current)};
};

export function TextField({
  label,
  field,
  isActive = true,
}: {
  readonly label: string;
  readonly field: Field;
  readonly isActive?: boolean;
}) {
  const {mask, pointer} = useGlyphs();
  const {line, masked} = field;
  const shown = masked ? mask.repeat(line.text.length) : line.text;
  const under = shown[line.cursor] ?? ' ';
  return (
    <Box flexDirection="column" paddingLeft={2}>
      <Text dimColor={!isActive}>{label}</Text>
      <Text wrap="hard">
        <Text {...(isActive ? {color: color.accent} : {})}>{isActive ? pointer : ' '} </Text>
        {isActive ? shown.slice(0, line.cursor) : shown}
        {isActive ? <Text inverse>{under}</Text> : null}
        {isActive ? shown.slice(line.cursor + 1) : null}
      </Text>
    </Box>
  );
}
