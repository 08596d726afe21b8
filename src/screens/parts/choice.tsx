import {Box} from 'ink';
import SelectInput from 'ink-select-input';
import {useState} from 'react';
import stringWidth from 'string-width';
import {type Binding, walkBindings} from './keys.tsx';
import {rowsOf} from './layout.tsx';
import {Rest, useSize, windowOf} from './size.tsx';
import {Prose, Text} from './text.tsx';
import {type Field, TextField, useTextField} from './text-field.tsx';
import {useGlyphs} from './theme.ts';

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

export type Option<V> = {readonly value: V; readonly label: string; readonly hint?: string};

export type Choice<V> = {
  readonly options: readonly Option<V>[];
  /** The index of the option that is pointed at. */
  readonly at: number;
  /** The indexes of the options that are listed. */
  readonly listed: readonly number[];
  readonly filter: Filter;
  readonly bindings: readonly Binding[];
};

/** How many rows a page key passes: what is left of the smallest terminal. */
const PAGE = 5;

/** One of several, by arrows and Enter or by its number. */
export const useChoice = <V,>(options: readonly Option<V>[], onChoose: (value: V) => void, initial = 0): Choice<V> => {
  const [pointed, setPointed] = useState({index: initial, label: options[initial]?.label});
  const filter = useFilter(options.length);
  const listed = options.flatMap(({label, hint = ''}, index) => (filter.matches(`${label} ${hint}`) ? [index] : []));
  // Where others come in between, the pointer stays on its own.
  const moved =
    options[pointed.index]?.label === pointed.label ? -1 : options.findIndex(({label}) => label === pointed.label);
  const wanted = moved < 0 ? Math.min(pointed.index, options.length - 1) : moved;
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
              // One line of help stands for all of them.
              ...(index === 0 && numbers.length > 1
                ? {name: `1-${numbers.length}`, label: 'choose at once', isExtra: true}
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

/** How a list is laid out: hints beside the labels where they have room for some words, else below the chosen one's. */
const isNarrowFor = (options: readonly Option<unknown>[], columns: number) => columns < widthOf(options) + 36;

const widthOf = (options: readonly Option<unknown>[]) => Math.max(...options.map(({label}) => stringWidth(label)));

/** What stands before a label, and between it and its hint, in columns. */
const INDENT = 4;
const COLUMN_GAP = 3;

/** How many rows the list takes with all that it says. */
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

/** What `rowsOf` takes for the margin, in columns. */
const MARGIN = 2;

/**
 * The choice as it is drawn. The list takes no keys itself, as it knows fewer than there are; it is told where it stands
 * by being made anew there. Where not all of it fits, each option is cut to a row.
 */
export function ChoiceList<V>({choice, room = Number.POSITIVE_INFINITY}: ListProps<V>) {
  const {options, at, listed, filter} = choice;
  const {columns} = useSize();
  const row = Math.max(0, listed.indexOf(at));
  const isScant = useChoiceRows(choice) > room;
  const isNarrow = isNarrowFor(options, columns);
  const own = Math.max(1, room - (filter.isOpen ? 1 : 0));
  const hasHint = !isScant || !isNarrow || own > LEAST_WITH_HINT;
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

/** In fewer rows than this, another option is worth more than what is said of the chosen one. */
const LEAST_WITH_HINT = 3;

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
  /** Of the longest label, in columns. */
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
