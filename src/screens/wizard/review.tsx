import {Box} from 'ink';
import {useState} from 'react';
import stringWidth from 'string-width';
import type {WizardEvent} from '../../state/events.ts';
import type {FileLine, Header, ReviewView} from '../../state/view/view.ts';
import type {Binding} from '../parts/keys.tsx';
import {walkBindings} from '../parts/keys.tsx';
import {rowsOf, useFit} from '../parts/layout.tsx';
import {Prose, Text, Warning} from '../parts/safe-text.tsx';
import {Screen} from '../parts/screen.tsx';
import {Rest, useSize, type Window, windowOf} from '../parts/size.tsx';
import {color, useGlyphs} from '../parts/theme.ts';

type Props = {
  readonly header: Header;
  readonly view: ReviewView;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
};

/** Shows every file that will change, with the diff of the chosen one. Nothing is written before Enter. */
export function Review({header, view, dispatch, back}: Props) {
  const {heading, files, warnings, accept} = view;
  const [at, setAt] = useState(0);
  const {columns} = useSize();
  const [top, setTop] = useState(0);
  const to = (index: number) => {
    setAt(index);
    setTop(0);
  };
  // On this screen page keys move through the diff.
  const walk = walkBindings({count: files.length, at, page: 1, to, label: 'file'}).filter(
    ({keys: [key]}) => key !== 'pgdn' && key !== 'pgup',
  );
  const chosen = files[at];
  const lines = chosen?.diff ? rowsOfDiff(chosen.diff, columns - 4) : [];
  const keys: readonly Binding[] = [
    {
      keys: ['enter'],
      label: files.some(({change}) => change !== 'unchanged') ? 'write' : 'continue',
      run: () => dispatch(accept),
    },
    ...walk,
    {keys: [' ', 'pgdn'], label: 'more', run: () => scroll(most - 1)},
    {keys: ['b', 'pgup'], label: 'back in the diff', isQuiet: true, run: () => scroll(1 - most)},
    ...back,
  ];
  const warned = warnings.reduce((sum, message) => sum + rowsOf(message, columns - 2), 0);
  const heights = files.map(file => heightsOf(file, files, columns));
  const listRows = heights.reduce((sum, {path, text}) => sum + path + text, 0);
  const wanted = Math.min(listRows + lines.length, Math.max(COMFORTABLE, listRows + LEAST + 1));
  const layout = useFit(header, heading, keys)({rows: warned + wanted, parts: 2 + warnings.length});
  const room = layout.room - warned;
  const {shown, isWhole, most} = shareOut(room, heights, at, lines.length);
  const scroll = (by: number) => setTop(current => Math.max(0, Math.min(lines.length - most, current + by)));
  const bindings =
    lines.length > most ? keys : keys.filter(({keys: [, second]}) => second !== 'pgdn' && second !== 'pgup');
  return (
    <Screen header={header} heading={heading} bindings={bindings} of={chosen?.path} layout={layout}>
      <FileList files={files} at={at} shown={shown} isWhole={isWhole} />
      {warnings.map(message => (
        <Warning key={message} message={message} />
      ))}
      {lines.length > 0 ? <Diff lines={lines} top={top} most={most} /> : null}
    </Screen>
  );
}

/** The rows that the files and the diff get together, before the parts around them get any. */
const COMFORTABLE = 12;

/** The fewest rows of the list, and of the diff. */
const LEAST = 3;

type Heights = {readonly path: number; readonly text: number};

/**
 * Shares the rows between the files and the diff of the chosen one. The list gets what it needs if that leaves enough
 * rows for the diff. Otherwise, only the chosen file is shown with all its text.
 */
const shareOut = (room: number, heights: readonly Heights[], at: number, lines: number) => {
  const all = heights.reduce((sum, {path, text}) => sum + path + text, 0);
  const forDiff = Math.min(lines, Math.max(LEAST + 1, Math.ceil(room / 2)));
  const isWhole = all <= Math.max(room - forDiff, Math.min(room - LEAST - 1, heights.length * 2));
  const {path = 1, text = 0} = heights[at] ?? {};
  const more = path - 1 + text;
  const shown = windowOf(heights.length, at, isWhole ? heights.length : Math.max(LEAST, room - forDiff - more));
  const listed = isWhole ? all : shown.shown + (shown.shown < heights.length ? 1 : 0) + more;
  const left = room - listed;
  // With fewer rows than that, the diff is not paged by itself: the whole screen scrolls.
  const isPaged = lines > left && left > LEAST;
  return {shown, isWhole, most: isPaged ? left - 1 : lines};
};

const GAP = 3;

/** The width of the margin and of the pointer with its blank. */
const INDENT = 4;

const saidOf = ({change, summary}: FileLine) => `${change}: ${summary}`;

/** Whether every path has room for its text beside it. If not, the text stands below. */
const isBeside = (files: readonly FileLine[], columns: number): boolean =>
  INDENT + widthOf(files) + GAP + Math.max(...files.map(file => stringWidth(saidOf(file)))) <= columns;

const widthOf = (files: readonly FileLine[]) => Math.max(...files.map(({path}) => stringWidth(path)));

/** Returns the number of rows of a path, and of the text below it. */
const heightsOf = (file: FileLine, files: readonly FileLine[], columns: number): Heights => {
  if (isBeside(files, columns)) return {path: 1, text: 0};
  const path = Math.ceil(stringWidth(file.path) / Math.max(1, columns - INDENT));
  return {path, text: rowsOf(saidOf(file), columns - INDENT)};
};

type FileListProps = {
  readonly files: readonly FileLine[];
  readonly at: number;
  readonly shown: Window;
  /** True if every file is shown with all its text, and not only the chosen one. */
  readonly isWhole: boolean;
};

/** Shows each path with what happens to it: beside it if there is room for both, else below it. */
function FileList({files, at, shown, isWhole}: FileListProps) {
  const {pointer} = useGlyphs();
  const {columns} = useSize();
  const beside = isBeside(files, columns);
  const width = widthOf(files);
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {files.slice(shown.top, shown.top + shown.shown).map((file, index) => {
        const isChosen = index === at - shown.top;
        const isFull = isChosen || isWhole;
        return (
          <Box key={file.path} flexShrink={0}>
            <Box flexShrink={0} width={2}>
              <Text bold>{isChosen ? pointer : ' '}</Text>
            </Box>
            <Box flexDirection={beside ? 'row' : 'column'} columnGap={GAP} flexShrink={1} minWidth={0}>
              <Box flexShrink={0} width={beside ? width : '100%'}>
                <Text wrap={isFull ? 'hard' : 'truncate-middle'} bold={isChosen}>
                  {file.path}
                </Text>
              </Box>
              {beside || isFull ? (
                <Box paddingLeft={beside ? 0 : 2} flexShrink={1} minWidth={0}>
                  <Prose>{saidOf(file)}</Prose>
                </Box>
              ) : null}
            </Box>
          </Box>
        );
      })}
      <Rest window={shown} />
    </Box>
  );
}

/** What a tab of a file looks like here: the width of a real one would depend on its column. */
const TAB = '    ';

/**
 * Splits a diff into rows. A longer line continues in the next row under the same sign, because the person has to be
 * able to see all of it.
 *
 * @param width in columns; some characters take two, and some none
 */
const rowsOfDiff = (diff: string, width: number): readonly string[] =>
  diff.split('\n').flatMap(line => {
    const [sign, text] = [line.slice(0, 1), line.slice(1).replaceAll('\t', TAB)];
    const room = Math.max(8, width - 1);
    if (isPlain(text)) {
      if (text.length <= room) return [sign + text];
      const count = Math.ceil(text.length / room);
      return Array.from({length: count}, (_, row) => sign + text.slice(row * room, (row + 1) * room));
    }
    const rows: string[] = [];
    let [row, used] = ['', 0];
    for (const {segment} of new Intl.Segmenter().segment(text)) {
      const columns = stringWidth(segment);
      if (used + columns > room) {
        rows.push(sign + row);
        [row, used] = ['', 0];
      }
      [row, used] = [row + segment, used + columns];
    }
    return [...rows, sign + row];
  });

/** Whether every character takes one column. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

type DiffProps = {readonly lines: readonly string[]; readonly top: number; readonly most: number};

/** Shows as many lines of a diff as there is room for. A sign says the same as the colour. */
function Diff({lines, top, most}: DiffProps) {
  const shown = lines.slice(top, top + most);
  const rest = lines.length - top - shown.length;
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff repeat, and never move.
        <Text key={top + index} wrap="truncate">
          <Text {...paint(line)}>{line.slice(0, 1)}</Text>
          {line.slice(1)}
        </Text>
      ))}
      {lines.length > shown.length ? (
        <Text wrap="truncate" bold>
          {rest > 0 ? `${rest} more ${rest === 1 ? 'line' : 'lines'} (space)` : 'The end'}
          {top > 0 ? ', back (b)' : ''}
        </Text>
      ) : null}
    </Box>
  );
}

const paint = (line: string) => {
  if (line.startsWith('+')) return {color: color.success};
  return line.startsWith('-') ? {color: color.danger} : {};
};
