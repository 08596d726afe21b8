import {Box} from 'ink';
import SelectInput from 'ink-select-input';
import {useState} from 'react';
import stringWidth from 'string-width';
import type {Binding} from '../keys.tsx';
import {useSize} from '../layout/size.tsx';
import {Rest, windowOf} from '../layout/window.tsx';
import {Prose} from '../prose.tsx';
import {Text} from '../text.tsx';
import {color, useGlyphs} from '../theme.ts';
import {type Filter, FilterLine, useFilter} from './filter.tsx';
import {walkBindings} from './walk.ts';

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
  const [position, setPosition] = useState(initial);
  const filter = useFilter(options.length);
  const listed = options.flatMap(({label, hint = ''}, index) => (filter.matches(`${label} ${hint}`) ? [index] : []));
  const wanted = Math.min(position, options.length - 1);
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
      {keys: ['enter'], label: 'continue', run: () => choose(listed[row])},
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

/** The least that is shown of a list, in rows. */
const LEAST = 2;

/**
 * The choice as it is drawn. The list takes no keys itself, as it knows fewer than there are; it is told where it stands
 * by being made anew there.
 */
export function ChoiceList<V>({choice: {options, at, listed, filter}, room = Number.POSITIVE_INFINITY}: ListProps<V>) {
  const {columns} = useSize();
  const row = Math.max(0, listed.indexOf(at));
  const shown = windowOf(listed.length, row, Math.max(LEAST, room));
  const width = Math.max(...options.map(({label}) => stringWidth(label)));
  // Side by side where a hint has room for some words; else only the chosen one's hint, below its label.
  const isNarrow = columns < width + 36;
  const items = listed.slice(shown.top, shown.top + shown.shown).flatMap(index => {
    const option = options[index];
    return option ? [{key: option.label, label: option.label, value: index, hint: option.hint, width, isNarrow}] : [];
  });
  return (
    <Box flexDirection="column">
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
        <Rest window={shown} />
      </Box>
    </Box>
  );
}

function Indicator({isSelected = false}: {readonly isSelected?: boolean}) {
  const {pointer} = useGlyphs();
  return (
    <Box flexShrink={0} width={2}>
      {isSelected ? <Text color={color.accent}>{pointer}</Text> : null}
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
};

function Item({label, isSelected = false, hint, width = label.length, isNarrow = false}: ItemProps) {
  return (
    <Box flexGrow={1} columnGap={3} flexDirection={isNarrow ? 'column' : 'row'}>
      <Box flexShrink={0} width={isNarrow ? '100%' : width}>
        <Text {...(isSelected ? {color: color.accent} : {})}>{label}</Text>
      </Box>
      {hint && (!isNarrow || isSelected) ? <Prose dimColor>{hint}</Prose> : null}
    </Box>
  );
}
