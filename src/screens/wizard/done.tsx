import {Box} from 'ink';
import type {AssistantOutcome, DoneView, Header, ProgressRow} from '../../state/view/view.ts';
import type {Binding} from '../parts/keys.tsx';
import {rowsOf, useFit} from '../parts/layout.tsx';
import {useIsLeaving} from '../parts/leave.tsx';
import {ProgressRows, progressHeight} from '../parts/progress-rows.tsx';
import {Prose, Text} from '../parts/safe-text.tsx';
import {Screen} from '../parts/screen.tsx';
import {useSize} from '../parts/size.tsx';
import {color, useGlyphs} from '../parts/theme.ts';

type Props = {
  readonly header: Header;
  readonly view: DoneView;
  readonly leave: () => void;
};

/** Shows the end: what works and until when, where the files are, and what to do next. */
export function Done({header, view, leave}: Props) {
  const {heading, isSuccess, content, outcomes, files, notes, block, next} = view;
  const {columns} = useSize();
  const rows = outcomes.map(({assistant, path, text}) => rowOf(`${assistant} ${path}`, assistant, `${path}: ${text}`));
  const bindings: readonly Binding[] = [{keys: ['enter', 'q', 'esc'], label: 'leave', run: leave}];
  const lines = [
    ...(content === undefined ? [] : [content]),
    ...notes,
    ...(block?.split('\n') ?? []),
    ...next.map(one => sentenceOf(one, columns).join('')),
  ];
  const saidRows = lines.reduce((sum, text) => sum + rowsOf(text, columns), 0);
  const forFiles = files ? rowsOfFiles(files, columns) : 0;
  const parts = [content, rows.length, files, notes.length, next.length].filter(Boolean).length;
  const groups = groupsOf(outcomes);
  const glyphs = useGlyphs();
  const layoutFor = useFit(header, isSuccess ? `${glyphs.done} ${heading}` : heading, bindings);
  // If one row for each assistant does not fit, the assistants with the same text share one sentence. What still does
  // not fit scrolls. The files come last, because the person has already reviewed them.
  const height = progressHeight(rows, columns);
  const together = groups.reduce((sum, {names, text}) => sum + rowsOf(`+ ${names}: ${text}`, columns), 0);
  const isLast = useIsLeaving();
  const whole = layoutFor({rows: height + forFiles + saidRows, parts});
  const isTogether = !isLast && !whole.fits && together < height;
  const layout = isTogether ? layoutFor({rows: together + forFiles + saidRows, parts}) : whole;
  return (
    <Screen
      header={header}
      heading={heading}
      isSuccess={isSuccess === true}
      bindings={bindings}
      layout={isLast ? {...layout, gap: 1} : layout}
    >
      {content === undefined ? null : (
        <Box paddingLeft={2}>
          <Prose>{content}</Prose>
        </Box>
      )}
      {isTogether ? <Together groups={groups} /> : rows.length > 0 ? <ProgressRows rows={rows} wraps /> : null}
      {notes.length > 0 ? (
        <Box flexDirection="column" paddingLeft={2}>
          {notes.map(note => (
            <Prose key={note}>{note}</Prose>
          ))}
        </Box>
      ) : null}
      {/* At the beginning of the line: a here-document ends only there. */}
      {block === undefined ? null : <Prose>{block}</Prose>}
      <Box flexDirection="column" paddingLeft={2}>
        {next.map(one => {
          const [before, strong] = sentenceOf(one, columns);
          return (
            <Prose key={one.before}>
              {before}
              {strong === undefined ? null : <Text bold>{strong}</Text>}
            </Prose>
          );
        })}
      </Box>
      {files ? <Files files={files} /> : null}
    </Screen>
  );
}

/**
 * Returns a sentence and its command. If the command does not fit behind the sentence, it begins a line of its own,
 * because it must not be broken.
 */
const sentenceOf = ({before, strong}: DoneView['next'][number], columns: number): readonly string[] => {
  if (strong === undefined) return [before];
  const isWhole = rowsOf(before + strong, columns) === rowsOf(before, columns);
  return [isWhole ? before : `${before.trimEnd()}\n`, strong];
};

const rowOf = (key: string, label: string, value: string): ProgressRow => ({key, status: 'ok', label, value});

type Line = {readonly path: string; readonly text: string};

const heightOf = ({text}: Line, columns: number) => Math.ceil(text.length / Math.max(1, columns - 2));

type Group = {readonly names: string; readonly text: string};

/** Groups the assistants that have the same text. */
const groupsOf = (outcomes: readonly AssistantOutcome[]): readonly Group[] =>
  [...Map.groupBy(outcomes, ({text}) => text)].map(([text, members]) => ({
    names: members.map(({assistant}) => assistant).join(', '),
    text,
  }));

/** Shows one sentence for each group, if there is no room for a line for each assistant. */
function Together({groups}: {readonly groups: readonly Group[]}) {
  const {done} = useGlyphs();
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {groups.map(({names, text}) => (
        <Prose key={text}>
          <Text color={color.success}>{done}</Text> {names}: <Text>{text}</Text>
        </Prose>
      ))}
    </Box>
  );
}

type FilesProps = {readonly files: NonNullable<DoneView['files']>};

const linesOf = ({lines}: FilesProps['files']): readonly Line[] =>
  lines.map(({path, change}) => ({path, text: `${path}, ${change}`}));

/** Returns the number of rows that the files take. */
const rowsOfFiles = (files: FilesProps['files'], columns: number): number =>
  linesOf(files).reduce((sum, line) => sum + heightOf(line, columns), rowsOf(files.title, columns));

/** Shows the other files that were written, and where. */
function Files({files}: FilesProps) {
  return (
    <Box flexDirection="column" paddingLeft={2}>
      <Prose>{files.title}</Prose>
      {linesOf(files).map(({path, text}) => (
        <Text key={path} wrap="hard">
          {text}
        </Text>
      ))}
    </Box>
  );
}
