import {Box} from 'ink';
import {useState} from 'react';
import type {WizardEvent} from '../../state/events.ts';
import type {WizardState} from '../../state/model.ts';
import type {FileLine, ReviewView} from '../../state/view/view.ts';
import type {Binding} from '../parts/keys.tsx';
import {rowsOf, useFit} from '../parts/layout/room.ts';
import {useSize} from '../parts/layout/size.tsx';
import {Rest, type Window, windowOf} from '../parts/layout/window.tsx';
import {walkBindings} from '../parts/list/walk.ts';
import {Warning} from '../parts/prose.tsx';
import {Screen} from '../parts/screen.tsx';
import {Text} from '../parts/text.tsx';
import {color, useGlyphs} from '../parts/theme.ts';

type Props = {
  readonly state: WizardState;
  readonly view: ReviewView;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
};

/** Every file that will change, with the diff of the chosen one. Nothing is written before Enter. */
export function Review({state, view, dispatch, back}: Props) {
  const {heading, files, warnings, accept} = view;
  const [at, setAt] = useState(0);
  const {columns} = useSize();
  const [top, setTop] = useState(0);
  const to = (index: number) => {
    setAt(index);
    setTop(0);
  };
  // Page keys lead through the diff here.
  const walk = walkBindings({count: files.length, at, page: 1, to, label: 'file'}).filter(
    ({keys: [key]}) => key !== 'pgdn' && key !== 'pgup',
  );
  const chosen = files[at];
  const lines = chosen?.diff ? rowsOfDiff(chosen.diff, columns - 4) : [];
  const keys: readonly Binding[] = [
    {keys: ['enter'], label: 'write', run: () => dispatch(accept)},
    ...walk,
    {keys: ['pgdn', ' '], label: 'more', run: () => scroll(most - 1)},
    {keys: ['pgup'], run: () => scroll(1 - most)},
    ...back,
  ];
  const warned = warnings.reduce((sum, message) => sum + rowsOf(message, columns - 2), 0);
  const wanted = Math.min(files.length + lines.length, COMFORTABLE);
  const layout = useFit(state, heading, keys)({rows: warned + wanted, parts: 2 + warnings.length});
  const room = layout.room - warned;
  const {shown, most} = shareOut(room, files.length, at, lines.length, isNarrow(columns) ? 1 : 0);
  const scroll = (by: number) => setTop(current => Math.max(0, Math.min(lines.length - most, current + by)));
  const bindings = lines.length > most ? keys : keys.filter(({keys: [first]}) => first !== 'pgdn' && first !== 'pgup');
  return (
    <Screen state={state} heading={heading} bindings={bindings} layout={layout}>
      <FileList files={files} at={at} shown={shown} />
      {warnings.map(message => (
        <Warning key={message} message={message} />
      ))}
      {lines.length > 0 ? <Diff lines={lines} top={top} most={most} /> : null}
    </Screen>
  );
}

/** What files and diff have together before anything else is shown besides, in rows. */
const COMFORTABLE = 12;

/** The least that is shown of a list, and of a diff, in rows. */
const LEAST = 3;

/** Shares the room between the files and the diff of the chosen one: the list has what it needs, up to half of it. */
const shareOut = (room: number, files: number, at: number, lines: number, more: number) => {
  const forDiff = Math.min(lines, Math.max(LEAST + 1, Math.ceil(room / 2)));
  const shown = windowOf(files, at, Math.max(LEAST, room - forDiff - more));
  const listed = shown.shown + (shown.shown < files ? 1 : 0) + more;
  const left = room - listed;
  return {shown, most: lines <= left ? lines : Math.max(LEAST, left - 1)};
};

/** Where a file and what happens to it do not fit side by side. */
const isNarrow = (columns: number) => columns < 70;

const GAP = 3;

type FileListProps = {
  readonly files: readonly FileLine[];
  readonly at: number;
  readonly shown: Window;
};

function FileList({files, at, shown}: FileListProps) {
  const {pointer} = useGlyphs();
  const {columns} = useSize();
  const narrow = isNarrow(columns);
  const seen = files.slice(shown.top, shown.top + shown.shown);
  const widest = Math.max(...seen.map(({path}) => path.length)) + 2;
  const longest = Math.max(...seen.map(({change, summary}) => change.length + 2 + summary.length));
  // A path has what it needs as long as that cuts no summary, and else half of the width.
  const width = Math.min(widest, Math.max(Math.floor(columns / 2) - 4, columns - 2 - GAP - longest));
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {seen.map(({path, change, summary}, index) => {
        const isChosen = index === at - shown.top;
        return (
          <Box key={path} flexDirection={narrow ? 'column' : 'row'} columnGap={GAP}>
            <Box flexShrink={0} width={narrow ? '100%' : width}>
              <Text wrap="truncate-middle" bold={isChosen}>
                {isChosen ? pointer : ' '} {path}
              </Text>
            </Box>
            {narrow && !isChosen ? null : (
              <Box paddingLeft={narrow ? 4 : 0} flexShrink={1} minWidth={0}>
                <Text wrap="truncate">
                  {change}: {summary}
                </Text>
              </Box>
            )}
          </Box>
        );
      })}
      <Rest window={shown} />
    </Box>
  );
}

/** A diff in rows: what is longer than one goes on in the next, under the same sign, for all of it is to be seen. */
const rowsOfDiff = (diff: string, width: number): readonly string[] =>
  diff.split('\n').flatMap(line => {
    if (line.length <= width) return [line];
    const [sign, text] = [line.slice(0, 1), line.slice(1)];
    const room = Math.max(8, width - 1);
    return Array.from(
      {length: Math.ceil(text.length / room)},
      (_, row) => `${sign}${text.slice(row * room, (row + 1) * room)}`,
    );
  });

type DiffProps = {readonly lines: readonly string[]; readonly top: number; readonly most: number};

/** As many lines of a diff as there is room for. A sign says what colour says. */
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
      {lines.length > shown.length ? <Text>{rest > 0 ? `${rest} more lines` : 'The end'}</Text> : null}
    </Box>
  );
}

const paint = (line: string) => {
  if (line.startsWith('+')) return {color: color.success};
  return line.startsWith('-') ? {color: color.danger} : {};
};
