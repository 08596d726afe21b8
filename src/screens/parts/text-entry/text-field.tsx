import {Box, useInput, usePaste} from 'ink';
import {useState} from 'react';
import {useTextClaim} from '../input/text-claims.tsx';
import {useSize} from '../layout/size.tsx';
import {Text} from '../text.tsx';
import {useGlyphs} from '../theme.ts';
import {edit, insert, type Line, lineOf} from './text-editing.ts';
import {windowOfText} from './text-window.ts';

export type Field = {
  readonly line: Line;
  readonly masked: boolean;
  readonly toggleMask: () => void;
  /** Puts another text in the place of what stands there, with the cursor at its end. */
  readonly put: (text: string) => void;
};

type Options = {
  readonly secret?: boolean;
  /** Whether what is typed is for this one. */
  readonly isActive?: boolean;
  /** Whether what is pasted takes the place of what stands there, which was refused. */
  readonly isReplaced?: (text: string) => boolean;
};

/** One line that a person types or pastes. Keys that are not for editing pass by. */
export const useTextField = (
  initial: string,
  {secret = false, isActive = true, isReplaced = () => false}: Options = {},
): Field => {
  const [masked, setMasked] = useState(secret);
  const [line, setLine] = useState(() => lineOf(initial));
  useTextClaim(() => isActive);
  useInput((input, key) => setLine(current => edit(current, input, key, secret)), {isActive});
  usePaste(
    text => setLine(current => insert(isReplaced(current.text) ? lineOf('') : current, secret ? text.trim() : text)),
    {isActive},
  );
  const toggleMask = () => setMasked(current => secret && !current);
  return {line, masked, toggleMask, put: text => setLine(lineOf(text))};
};

/** What stands around the text: the margin, the pointer with its blank, and the column that no line may reach. */
const AROUND = 5;

type Props = {
  readonly label?: string;
  readonly field: Field;
  readonly isActive?: boolean;
  /** What stands before it while it is active, in the place of the pointer. */
  readonly sign?: string;
};

export function TextField({label, field, isActive = true, sign}: Props) {
  const {mask, pointer, ellipsis, cursor} = useGlyphs();
  const {columns} = useSize();
  const {line, masked} = field;
  // Where nothing can be inverse a sign stands before the character, and takes a column of its own.
  const room = Math.max(4, columns - AROUND - (cursor?.length ?? 0));
  const {before, under, after} = windowOfText(isActive ? line : {...line, cursor: 0}, room, {
    ellipsis,
    ...(masked ? {mask} : {}),
  });
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {label === undefined ? null : <Text>{label}</Text>}
      <Text wrap="truncate">
        <Text bold={isActive}>{isActive ? (sign ?? pointer) : ' '} </Text>
        {before}
        {isActive && cursor === undefined ? <Text inverse>{under}</Text> : null}
        {isActive && cursor !== undefined ? `${cursor}${under}` : null}
        {isActive ? after : under + after}
      </Text>
    </Box>
  );
}
