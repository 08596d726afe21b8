import {Box} from 'ink';
import {useState} from 'react';
import type {Binding} from '../keys.tsx';
import {Text} from '../text.tsx';
import {type Field, TextField, useTextField} from '../text-entry/text-field.tsx';

export type Filter = {
  /** Whether what is typed narrows the list. */
  readonly isOpen: boolean;
  readonly field: Field;
  readonly matches: (text: string) => boolean;
  /** Opens it; once it is open, leaves it. To stand before the keys of the screen. */
  readonly bindings: readonly Binding[];
  /** Shows the whole list again. */
  readonly close: () => void;
};

/** In a list with more rows than this, that it can be narrowed is said where the keys are. */
const LONG = 9;

/**
 * Narrows a list to the rows that have every word of what is typed.
 *
 * @param count the number of rows of the whole list
 */
export const useFilter = (count: number): Filter => {
  const [isOpen, setOpen] = useState(false);
  const field = useTextField('', {isActive: isOpen});
  const words = isOpen ? field.line.text.toLowerCase().split(/\s+/) : [];
  const close = () => {
    if (!isOpen) return;
    field.put('');
    setOpen(false);
  };
  return {
    isOpen,
    field,
    matches: text => words.every(word => text.toLowerCase().includes(word)),
    bindings: isOpen
      ? [{keys: ['esc'], label: 'whole list', run: close}]
      : [{keys: ['/'], label: 'filter', isExtra: true, isQuiet: count <= LONG, run: () => setOpen(true)}],
    close,
  };
};

/** What the list is narrowed by, and to how many rows. */
export function FilterLine({filter: {isOpen, field}, shown}: {readonly filter: Filter; readonly shown: number}) {
  if (!isOpen) return null;
  return (
    <Box flexDirection="column">
      <TextField field={field} sign="/" />
      {shown === 0 ? (
        <Box paddingLeft={2}>
          <Text>Nothing in the list has these words.</Text>
        </Box>
      ) : null}
    </Box>
  );
}
