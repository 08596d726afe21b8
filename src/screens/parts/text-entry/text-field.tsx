import {Box, useInput, usePaste} from 'ink';
import {useRef, useState} from 'react';
import {Text} from '../text.tsx';
import {color, useGlyphs} from '../theme.ts';
import {edit, insert, type Line, lineOf} from './text-editing.ts';

export type Field = {
  /** As it is drawn. */
  readonly line: Line;
  /** What stands in it by now: keys may come faster than frames. */
  readonly text: () => string;
  readonly masked: boolean;
  readonly toggleMask: () => void;
};

type Options = {
  readonly secret?: boolean;
  /** Whether what is typed now is for this one. */
  readonly isActive?: () => boolean;
  /** Whether what is pasted now takes the place of what stands there, which was refused. */
  readonly isReplaced?: () => boolean;
};

/** One line that a person types or pastes. Keys that are not for editing pass by. */
export const useTextField = (
  initial: string,
  {secret = false, isActive = () => true, isReplaced = () => false}: Options = {},
): Field => {
  const [masked, setMasked] = useState(secret);
  const [line, setLine] = useState(() => lineOf(initial));
  const latest = useRef(line);
  const put = (next: Line) => {
    latest.current = next;
    setLine(next);
  };
  useInput((input, key) => {
    if (isActive()) put(edit(latest.current, input, key));
  });
  usePaste(text => {
    if (isActive()) put(insert(isReplaced() ? lineOf('') : latest.current, secret ? text.trim() : text));
  });
  const toggleMask = () => setMasked(current => secret && !current);
  return {line, text: () => latest.current.text, masked, toggleMask};
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
