import {Box, Text} from 'ink';
import {useRef, useState} from 'react';
import type {Binding} from './keys.tsx';
import {Prose} from './prose.tsx';
import {useSize} from './size.tsx';
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
  return {
    options,
    at: place(),
    bindings: [
      {keys: ['up', 'k'], label: 'choose', run: () => move(-1)},
      {keys: ['down', 'j'], run: () => move(1)},
      {keys: ['enter'], label: 'continue', run: () => choose(place())},
      ...options.slice(0, 9).map((_, index): Binding => ({keys: [String(index + 1)], run: () => choose(index)})),
    ],
  };
};

export function ChoiceList<V>({choice}: {readonly choice: Choice<V>}) {
  const {pointer} = useGlyphs();
  const {options, at} = choice;
  const {columns} = useSize();
  const width = Math.max(...options.map(({label}) => label.length));
  // Side by side where a hint has room for some words; else only the chosen one's hint, below its label.
  const isNarrow = columns < width + 36;
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {options.map(({label, hint}, index) => (
        <Box key={label} columnGap={3} flexDirection={isNarrow ? 'column' : 'row'}>
          <Box flexShrink={0} width={isNarrow ? '100%' : width + 2}>
            <Text {...(index === at ? {color: color.accent} : {})}>
              {index === at ? pointer : ' '} {label}
            </Text>
          </Box>
          {hint && (!isNarrow || index === at) ? (
            <Box paddingLeft={isNarrow ? 2 : 0}>
              <Prose dimColor>{hint}</Prose>
            </Box>
          ) : null}
        </Box>
      ))}
    </Box>
  );
}
