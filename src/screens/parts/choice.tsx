import {Box} from 'ink';
import SelectInput from 'ink-select-input';
import {useState} from 'react';
import stringWidth from 'string-width';
import {type Binding, walkBindings} from './keys.tsx';
import {rowsOf} from './layout.tsx';
import {Prose, Text} from './safe-text.tsx';
import {Rest, useSize, windowOf} from './size.tsx';
import {type Field, TextField, useTextField} from './text-field.tsx';
import {useGlyphs} from './theme.ts';

export type Filter = {
  /** True while typed text narrows the list. */
  readonly isOpen: boolean;
  readonly field: Field;
  readonly matches: (text: string) => boolean;
  /** The keys that open the filter, or leave it while it is open. They have to come before the keys of the screen. */
  readonly bindings: readonly Binding[];
  /** Shows the whole list again. */
  readonly close: () => void;
};

/** In a list with more rows than this, the key line names the filter. */
const LONG = 9;

/**
 * Narrows a list to the rows that contain every word of the typed text.
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

/** Shows the text of the filter, and says if no row is left. */
export function FilterLine({filter: {isOpen, field}, shown}: {readonly filter: Filter; readonly shown: number}) {
  if (!isOpen) return null;
  return (
    <Box flexDirection="column">
      <TextField field={field} sign="/" />
      {shown === 0 ? (
        <Box paddingLeft={2}>
          <Text>Nothing in the list matches.</Text>
        </Box>
      ) : null}
    </Box>
  );
}

export type Option<V> = {readonly value: V; readonly label: string; readonly hint?: string};

export type Choice<V> = {
  readonly options: readonly Option<V>[];
  /** The index of the selected option. */
  readonly at: number;
  /** The indexes of the options that are listed. */
  readonly listed: readonly number[];
  readonly filter: Filter;
  readonly bindings: readonly Binding[];
};

/** The number of rows that a page key moves: as many as the smallest terminal has for a list. */
const PAGE = 5;

/**
 * Handles a choice of one option: by arrows and Enter, or by its number. While `isPending`, options may still be added
 * above the initial one, so until the person moves, the pointer is at the option that is initial by then.
 */
export const useChoice = <V,>(
  options: readonly Option<V>[],
  onChoose: (value: V) => void,
  {initial = 0, isPending = false}: {readonly initial?: number; readonly isPending?: boolean} = {},
): Choice<V> => {
  const first = {index: initial, label: options[initial]?.label};
  const [chosen, setPointed] = useState(isPending ? undefined : first);
  // The wait is over: options that are added later must not move the pointer.
  if (!chosen && !isPending) setPointed(first);
  const pointed = chosen ?? first;
  const filter = useFilter(options.length);
  const listed = options.flatMap(({label, hint = ''}, index) => (filter.matches(`${label} ${hint}`) ? [index] : []));
  // If options are added or removed, the pointer stays with its own.
  const shifted =
    options[pointed.index]?.label === pointed.label ? -1 : options.findIndex(({label}) => label === pointed.label);
  const wanted = shifted < 0 ? Math.min(pointed.index, options.length - 1) : shifted;
  const setPosition = (index: number) => setPointed({index, label: options[index]?.label});
  const row = Math.max(0, listed.indexOf(wanted));
  const at = listed[row] ?? wanted;
  const choose = (index: number | undefined) => {
    const option = index === undefined ? undefined : options[index];
    if (!option) return;
    setPosition(index ?? 0);
    filter.close();
    onChoose(option.value);
  };
  const numbers = options.slice(0, 9).map((_, index) => String(index + 1));
  const to = (index: number) => setPosition(listed[index] ?? 0);
  const isTyping = filter.isOpen;
  return {
    options,
    at,
    listed,
    filter,
    bindings: [
      ...walkBindings({count: listed.length, at: row, page: PAGE, to, label: 'choose', isTyping}),
      {keys: ['enter'], ...(listed.length > 0 ? {label: 'continue'} : {}), run: () => choose(listed[row])},
      ...(isTyping
        ? []
        : numbers.map(
            (number, index): Binding => ({
              keys: [number],
              run: () => choose(index),
              // One line of help covers all numbers.
              ...(index === 0 && numbers.length > 1
                ? {name: `1-${numbers.length}`, label: 'choose directly', isExtra: true}
                : {}),
            }),
          )),
      ...filter.bindings,
    ],
  };
};

type ListProps<V> = {
  readonly choice: Choice<V>;
  /** The most rows that the list may take. */
  readonly room?: number;
};

/** Whether hints stand below the chosen label, because beside the labels there is no room for some words. */
const isNarrowFor = (options: readonly Option<unknown>[], columns: number) => columns < widthOf(options) + 36;

const widthOf = (options: readonly Option<unknown>[]) => Math.max(...options.map(({label}) => stringWidth(label)));

/** The width before a label, and between the label and its hint, in columns. */
const INDENT = 4;
const COLUMN_GAP = 3;

/** Returns the number of rows of the list with its hints. */
export const useChoiceRows = <V,>({options, at, listed, filter}: Choice<V>): number => {
  const {columns} = useSize();
  const isNarrow = isNarrowFor(options, columns);
  const rows = listed.map(index => {
    const {label = '', hint = ''} = options[index] ?? {};
    if (!isNarrow) return Math.max(1, rowsOf(hint, columns - INDENT - widthOf(options) - COLUMN_GAP + MARGIN));
    const below = index === at && hint !== '' ? rowsOf(hint, columns - INDENT + MARGIN) : 0;
    return rowsOf(label, columns - INDENT + MARGIN) + below;
  });
  return rows.reduce((sum, count) => sum + count, 0) + (filter.isOpen ? 1 : 0);
};

/** The margin that `rowsOf` subtracts, in columns. */
const MARGIN = 2;

/**
 * Shows the choice. The list handles no keys itself, because it does not know all of them; it is remounted to move its
 * pointer. If not everything fits, each option is cut to one row.
 */
export function ChoiceList<V>({choice, room = Number.POSITIVE_INFINITY}: ListProps<V>) {
  const {options, at, listed, filter} = choice;
  const {columns} = useSize();
  const row = Math.max(0, listed.indexOf(at));
  const isScant = useChoiceRows(choice) > room;
  const isNarrow = isNarrowFor(options, columns);
  const own = Math.max(1, room - (filter.isOpen ? 1 : 0));
  const hasHint = !isScant || !isNarrow || own > MOST_WITHOUT_HINT;
  const forRows = isScant && isNarrow && hasHint ? own - 1 : own;
  const shown = windowOf(listed.length, row, forRows);
  const width = widthOf(options);
  const items = listed.slice(shown.top, shown.top + shown.shown).flatMap(index => {
    const option = options[index];
    if (!option) return [];
    const {label, hint} = option;
    return [{key: label, label, value: index, hint: hasHint ? hint : undefined, width, isNarrow, isScant}];
  });
  return (
    <Box flexDirection="column" flexShrink={0}>
      <FilterLine filter={filter} shown={listed.length} />
      <Box flexDirection="column" paddingLeft={2}>
        <SelectInput
          key={`${at} of ${items.length} from ${shown.top}`}
          items={items}
          initialIndex={row - shown.top}
          isFocused={false}
          indicatorComponent={Indicator}
          itemComponent={Item}
        />
        {forRows > 1 ? <Rest window={shown} /> : null}
      </Box>
    </Box>
  );
}

/** The most rows in which another option is worth more than the hint of the chosen one. */
const MOST_WITHOUT_HINT = 3;

function Indicator({isSelected = false}: {readonly isSelected?: boolean}) {
  const {pointer} = useGlyphs();
  return (
    <Box flexShrink={0} width={2}>
      {isSelected ? <Text bold>{pointer}</Text> : null}
    </Box>
  );
}

type ItemProps = {
  readonly label: string;
  readonly isSelected?: boolean;
  readonly hint?: string | undefined;
  /** The width of the longest label, in columns. */
  readonly width?: number;
  readonly isNarrow?: boolean;
  readonly isScant?: boolean;
};

function Item({label, isSelected = false, hint, width = label.length, isNarrow = false, isScant = false}: ItemProps) {
  const wrap = isScant ? 'truncate' : 'wrap';
  return (
    <Box flexGrow={1} columnGap={3} flexDirection={isNarrow ? 'column' : 'row'}>
      <Box flexShrink={0} width={isNarrow ? '100%' : width}>
        <Text bold={isSelected} wrap={wrap}>
          {label}
        </Text>
      </Box>
      {hint && (!isNarrow || isSelected) ? <Prose wrap={wrap}>{hint}</Prose> : null}
    </Box>
  );
}
