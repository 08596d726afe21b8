import {Box, type Key, usePaste} from 'ink';
import {useState} from 'react';
import {useTextClaim} from '../input/text-claims.tsx';
import {useInput} from '../input/use-input.ts';
import {useSize} from '../layout/size.tsx';
import {Warning} from '../prose.tsx';
import {Text} from '../text.tsx';
import {useGlyphs} from '../theme.ts';
import {edit, insert, type Line, lineOf, oneLineOf} from './text-editing.ts';
import {windowOfText} from './text-window.ts';

export type Field = {
  readonly line: Line;
  /** What is answered: what was typed, or what is suggested as long as nothing was. */
  readonly text: string;
  /** What is suggested; undefined once something is typed. */
  readonly suggested: string | undefined;
  /** What became of the lines that were pasted, where they were more than one. */
  readonly notice: string | undefined;
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
  /** What stands there until something is typed. */
  readonly suggestion?: string | undefined;
  /** What became of lines that were pasted before it was there. */
  readonly notice?: string | undefined;
};

/** One line that a person types or pastes. Keys that are not for editing pass by. */
export const useTextField = (
  initial: string,
  {secret = false, isActive = true, isReplaced = () => false, suggestion, notice: noticed}: Options = {},
): Field => {
  const [masked, setMasked] = useState(secret);
  const [line, setLine] = useState(() => lineOf(initial));
  const [notice, setNotice] = useState(noticed);
  useTextClaim(() => isActive);
  const change = (input: string, key: Key) => {
    setNotice(undefined);
    setLine(current => {
      // Who wants to change what is suggested goes to its end.
      const isTaken = current.text === '' && (key.rightArrow || key.end || (key.ctrl && input === 'e'));
      return isTaken && suggestion !== undefined ? lineOf(suggestion) : edit(current, input, key, secret);
    });
  };
  useInput(change, {isActive});
  const paste = (pasted: string) => {
    const taken = oneLineOf(pasted);
    setNotice(taken.notice);
    setLine(current =>
      insert(isReplaced(current.text) ? lineOf('') : current, secret ? taken.text.trim() : taken.text),
    );
  };
  usePaste(paste, {isActive});
  const toggleMask = () => setMasked(current => secret && !current);
  const isEmpty = line.text.trim() === '';
  return {
    ...{line, masked, toggleMask, notice},
    text: isEmpty ? (suggestion ?? '') : line.text,
    suggested: line.text === '' ? suggestion : undefined,
    put: text => setLine(lineOf(text)),
  };
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
  const {masked, suggested, notice} = field;
  const line = suggested === undefined ? field.line : {text: suggested, cursor: 0};
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
        {suggested === undefined || !isActive ? '' : '  (suggested: Enter takes it)'}
      </Text>
      {notice === undefined ? null : (
        <Box marginLeft={-2}>
          <Warning message={notice} />
        </Box>
      )}
    </Box>
  );
}
