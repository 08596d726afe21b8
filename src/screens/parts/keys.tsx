import {Box, type Key} from 'ink';
import {useIsLeaving} from './leave.tsx';
import {Text} from './safe-text.tsx';
import {useSize} from './size.tsx';
import {type Glyphs, useGlyphs} from './theme.ts';
import {useInput} from './use-input.ts';

type KeyName =
  | 'enter'
  | 'esc'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'tab'
  | 'shift-tab'
  | 'home'
  | 'end'
  | 'pgup'
  | 'pgdn';

/** A key, its action and its name in the key line: one table handles the keys and describes them. */
export type Binding = {
  readonly keys: readonly (KeyName | (string & {}))[];
  /** The text in the key line. A binding without one is not mentioned. */
  readonly label?: string;
  /** The text in the key line after the key was pressed, in place of the label. */
  readonly result?: string | undefined;
  /** The name of all the keys together, if it differs from the name of the first key. */
  readonly name?: string;
  /** Shown in the key line only if that takes no additional row: people can do without this key. */
  readonly isExtra?: boolean;
  /** Shown only in the list of all keys: people who know such a key try it, and the others can do without it. */
  readonly isQuiet?: boolean;
  readonly run: () => void;
};

const named: Readonly<Record<KeyName, (key: Key) => boolean>> = {
  enter: key => key.return,
  esc: key => key.escape,
  up: key => key.upArrow,
  down: key => key.downArrow,
  left: key => key.leftArrow,
  right: key => key.rightArrow,
  tab: key => key.tab && !key.shift,
  'shift-tab': key => key.tab && key.shift,
  home: key => key.home,
  end: key => key.end,
  pgup: key => key.pageUp,
  pgdn: key => key.pageDown,
};

const isNamed = (name: string): name is KeyName => name in named;

/** Runs the binding of the pressed key. Keys come one at a time, each once the effect of the previous one is drawn. */
export const useKeys = (bindings: readonly Binding[]): void => {
  useInput((input, key) => bindings.find(({keys}) => keys.some(name => isPressed(name, input, key)))?.run());
};

const isPressed = (name: string, input: string, key: Key): boolean => {
  if (isNamed(name)) return named[name](key);
  return name.startsWith('ctrl-') ? key.ctrl && input === name.at(-1) : input === name && !key.ctrl && !key.meta;
};

/** Returns the name of a key: a space would be invisible. */
export const nameOf = (key: string): string => (key === ' ' ? 'space' : key);

const GAP = 3;

type Shown = {readonly name: string; readonly label: string; readonly isExtra: boolean};

/** Returns what the key line shows in a terminal of this width. */
const shownKeys = (bindings: readonly Omit<Binding, 'run'>[], {upDown}: Glyphs, columns: number): readonly Shown[] => {
  // The first binding of a key is the one that runs, so only that one is shown.
  const isFirst = ({keys}: Pick<Binding, 'keys'>, at: number) =>
    !bindings.slice(0, at).some(earlier => earlier.keys.includes(keys[0] ?? ''));
  const all = bindings
    .filter(isFirst)
    .flatMap(({keys, label, result = label, name, isExtra = false, isQuiet = false}): Shown[] =>
      result && !isQuiet
        ? [{name: name ?? (keys[0] === 'up' ? upDown : nameOf(keys[0] ?? '')), label: result, isExtra}]
        : [],
    );
  const needed = all.filter(({isExtra}) => !isExtra);
  return rowsOfKeys(all, columns) > rowsOfKeys(needed, columns) ? needed : all;
};

const rowsOfKeys = (shown: readonly Shown[], columns: number): number => {
  let [rows, used] = [1, 0];
  for (const {name, label} of shown) {
    const width = name.length + 1 + label.length;
    if (used > 0 && used + GAP + width > columns - 2) [rows, used] = [rows + 1, width];
    else used += (used > 0 ? GAP : 0) + width;
  }
  return rows;
};

/** Returns the number of rows of the key line with these keys and those that every screen has. */
export const useKeyRows = (bindings: readonly Binding[]): number => {
  const {columns} = useSize();
  const everywhere = [
    {keys: ['e'], label: 'calls'},
    {keys: ['?'], label: 'keys'},
  ];
  return rowsOfKeys(shownKeys([...bindings, ...everywhere], useGlyphs(), columns), columns);
};

/** Shows the last line: the keys that work now. */
export function KeyLine({bindings, most}: {readonly bindings: readonly Binding[]; readonly most?: number}) {
  const {columns} = useSize();
  const shown = shownKeys(bindings, useGlyphs(), columns);
  if (useIsLeaving()) return null;
  return (
    <Box
      paddingLeft={2}
      columnGap={GAP}
      flexWrap="wrap"
      flexShrink={0}
      {...(most === undefined ? {} : {maxHeight: most, overflowY: 'hidden'})}
    >
      {shown.map(({name, label}) => (
        <Text key={name}>
          <Text bold>{name}</Text> {label}
        </Text>
      ))}
    </Box>
  );
}

const everywhere = [
  ['Ctrl-C', 'leave at once; nothing is left half done'],
  ['Ctrl-Z', 'suspend; fg in the shell resumes it'],
] as const;

/** Shows the keys with a label that work on the screen behind this one, and those that work everywhere. */
export function KeyHelp({bindings}: {readonly bindings: readonly Binding[]}) {
  const {upDown} = useGlyphs();
  const rows = bindings.flatMap(({keys, label, name}) =>
    // The key line names `up` together with `down`.
    label
      ? [
          [
            name ?? (keys[0] === 'up' ? `${upDown}${keys.includes('k') ? ', k, j' : ''}` : keys.map(nameOf).join(', ')),
            label,
          ] as const,
        ]
      : [],
  );
  return (
    <Box flexDirection="column" paddingLeft={2}>
      <Text bold>Keys</Text>
      {[...rows, ...everywhere].map(([keys, label]) => (
        <Box key={`${keys} ${label}`} columnGap={2}>
          <Box width={16} flexShrink={0}>
            <Text>{keys}</Text>
          </Box>
          <Text>{label}</Text>
        </Box>
      ))}
    </Box>
  );
}

type List = {
  readonly count: number;
  /** The index of the selected row. */
  readonly at: number;
  /** The number of rows that a page key moves. */
  readonly page: number;
  /** Selects the row with this index. */
  readonly to: (index: number) => void;
  /** The label of the arrow keys. */
  readonly label: string;
  /** True while a person types text: letters are then text, not shortcuts. */
  readonly isTyping?: boolean;
};

/** Returns the keys that move through a list: arrows wrap around, page keys stop at the ends. None if it is empty. */
export const walkBindings = ({count, at, page, to, label, isTyping = false}: List): readonly Binding[] => {
  if (count === 0) return [];
  const inside = (index: number) => Math.max(0, Math.min(count - 1, index));
  return [
    {keys: ['up', ...(isTyping ? [] : ['k'])], label, run: () => to((at - 1 + count) % count)},
    {keys: ['down', ...(isTyping ? [] : ['j'])], run: () => to((at + 1) % count)},
    // In a text field, Home and End belong to the field.
    ...(isTyping
      ? []
      : [
          {keys: ['home'], name: 'home, end', label: 'first, last', isQuiet: true, run: () => to(0)},
          {keys: ['end'], run: () => to(count - 1)},
        ]),
    {keys: ['pgdn'], name: 'pgdn, pgup', label: 'a page on, back', isQuiet: true, run: () => to(inside(at + page))},
    {keys: ['pgup'], run: () => to(inside(at - page))},
  ];
};
