import {Box} from 'ink';
import SelectInput from 'ink-select-input';
import {useRef, useState} from 'react';
import type {Binding} from './keys.tsx';
import {useSize} from './layout/size.tsx';
import {Prose} from './prose.tsx';
import {Text} from './text.tsx';
import {color, useGlyphs} from './theme.ts';

export type Option<V> = {readonly value: V; readonly label: string; readonly hint?: string};

export type Choice<V> = {
  readonly options: readonly Option<V>[];
  readonly at: number;
  readonly bindings: readonly Binding[];
};

/** One of several, by arrows and Enter or by its number. */
export const useChoice = <V,>(options: readonly Option<V>[], onChoose: (value: V) => void, initial = 0): Choice<V> => {
  // Keys may come faster than frames: what counts is where the choice is, not where it was drawn last.
  const position = useRef(initial);
  const [, redraw] = useState(initial);
  const place = () => Math.min(position.current, options.length - 1);
  const move = (by: number) => {
    position.current = (place() + by + options.length) % options.length;
    redraw(position.current);
  };
  const choose = (index: number) => {
    const option = options[index];
    if (option) onChoose(option.value);
  };
  const numbers = options.slice(0, 9).map((_, index) => String(index + 1));
  return {
    options,
    at: place(),
    bindings: [
      {keys: ['up', 'k'], label: 'choose', run: () => move(-1)},
      {keys: ['down', 'j'], run: () => move(1)},
      {keys: ['enter'], label: 'continue', run: () => choose(place())},
      ...numbers.map(
        (number, index): Binding => ({
          keys: [number],
          run: () => choose(index),
          // One line of help stands for all of them.
          ...(index === 0 && numbers.length > 1
            ? {name: `1-${numbers.length}`, label: 'choose at once', isExtra: true}
            : {}),
        }),
      ),
    ],
  };
};

/**
 * The choice as it is drawn. The list takes no keys itself: it moves on from where it was drawn last, so that of two keys
 * which come in one piece it loses the first. It is told where it stands, by being made anew there.
 */
export function ChoiceList<V>({choice}: {readonly choice: Choice<V>}) {
  const {options, at} = choice;
  const {columns} = useSize();
  const width = Math.max(...options.map(({label}) => label.length));
  // Side by side where a hint has room for some words; else only the chosen one's hint, below its label.
  const isNarrow = columns < width + 36;
  const items = options.map(({label, hint}, value) => ({key: label, label, value, hint, width, isNarrow}));
  return (
    <Box flexDirection="column" paddingLeft={2}>
      <SelectInput
        key={`${at} of ${options.length}`}
        items={items}
        initialIndex={at}
        isFocused={false}
        indicatorComponent={Indicator}
        itemComponent={Item}
      />
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
