import {Box, Text} from 'ink';
import {duration} from '../../duration.ts';
import type {Plan} from '../../flows/assistants/plan-files.ts';
import type {Settings, WizardState} from '../../state/model.ts';
import {hasTokenInFile, isUndoable, notesOf, type Outcome, outcomesOf} from '../../state/outcome.ts';
import type {ProgressRow} from '../../state/progress.ts';
import {showPath} from '../../state/show-path.ts';
import type {Binding} from '../parts/keys.tsx';
import {Prose} from '../parts/prose.tsx';
import {rowsOf, useCompactRoom, useGap, useRoom} from '../parts/room.ts';
import {Screen} from '../parts/screen.tsx';
import {useSize} from '../parts/size.tsx';
import {color, useGlyphs} from '../parts/theme.ts';
import {ProgressRows, progressHeight} from './progress.tsx';

type Props = {
  readonly state: WizardState;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly leave: () => void;
};

/** The end: what answered through what was written, until when, where the files are, and what to say first. */
export function Done({state, now, leave}: Props) {
  const {facts, settings} = state;
  const {token, plan} = facts;
  const {columns} = useSize();
  const outcomes = outcomesOf(state);
  const rows = outcomes.map(({assistant, path, text}) => rowOf(`${assistant} ${path}`, assistant, text));
  const heading = facts.check?.withoutRole
    ? 'Connected, but the account has no role yet'
    : outcomes.length > 0
      ? 'Done: the servers answer through what was written'
      : `You are signed in as ${token?.account}`;
  const left = token?.expiresAt === undefined ? undefined : duration(token.expiresAt - now);
  const notes = notesOf(state);
  const more: readonly Sentence[] = [
    ...(left && !settings.demo && hasTokenInFile(state)
      ? [{before: `The token in these entries is good for ${left}. Renew it with `, strong: 'npx setup mcp connect'}]
      : []),
    ...(token?.signInEndsAt !== undefined && !settings.demo
      ? [
          {
            before: `Your sign-in ends in ${duration(token.signInEndsAt - now)}. To sign in again, run `,
            strong: 'npx setup',
          },
        ]
      : []),
    ...(settings.demo || !isUndoable(state) ? [] : [{before: 'Undo everything with ', strong: 'npx setup undo'}]),
    ...(settings.demo
      ? [{before: 'This was the sandbox, and it ends when you leave. For real: ', strong: 'npx setup'}]
      : []),
    ...(settings.demo || outcomes.length === 0
      ? []
      : [{before: 'Ask your assistant: ', strong: 'Which projects do I have, and is anything failing?'}]),
  ];
  const bindings: readonly Binding[] = [{keys: ['enter', 'q', 'esc'], label: 'leave', run: leave}];
  const said = [...notes, ...more.map(({before, strong}) => before + strong)];
  const saidRows = said.reduce((sum, text) => sum + rowsOf(text, columns), 0);
  const gaps = useGap() * (more.length + (plan ? 1 : 0) + (notes.length > 0 ? 1 : 0));
  const height = progressHeight(rows, columns);
  const room = useRoom(state, heading, bindings) - saidRows - gaps - height;
  const compactRoom = useCompactRoom(heading, bindings) - saidRows;
  const isCompact = room < LEAST;
  const groups = groupsOf(outcomes);
  const together = groups.reduce((sum, {names, text}) => sum + rowsOf(`+ ${names}: ${text}`, columns), 0);
  const isTogether = isCompact && height + LEAST > compactRoom;
  const roomForFiles = isCompact ? compactRoom - (isTogether ? together : height) : room;
  return (
    <Screen state={state} heading={heading} bindings={bindings} isCompact={isCompact}>
      {isTogether ? <Together groups={groups} /> : rows.length > 0 ? <ProgressRows rows={rows} wraps /> : null}
      {plan ? <Files plan={plan} settings={settings} room={roomForFiles} /> : null}
      {notes.length > 0 ? (
        <Box flexDirection="column" paddingLeft={2}>
          {notes.map(note => (
            <Prose key={note}>{note}</Prose>
          ))}
        </Box>
      ) : null}
      {more.map(({before, strong}) => (
        <Box key={before} paddingLeft={2}>
          <Prose>
            {before}
            <Text bold>{strong}</Text>
          </Prose>
        </Box>
      ))}
    </Screen>
  );
}

const rowOf = (key: string, label: string, value: string): ProgressRow => ({key, status: 'ok', label, value});

type Line = {readonly path: string; readonly text: string};

/** As many lines as there is room for, one at least; where not all fit, a row is left to say so. */
const fitting = (lines: readonly Line[], room: number, columns: number): readonly Line[] => {
  const heights = lines.map(({text}) => Math.ceil(text.length / Math.max(1, columns - 2)));
  if (heights.reduce((sum, height) => sum + height, 0) <= room) return lines;
  let used = 1;
  const count = heights.findIndex(height => {
    used += height;
    return used > room;
  });
  return lines.slice(0, Math.max(1, count));
};

type Group = {readonly names: string; readonly text: string};

/** The assistants of which the same is said. */
const groupsOf = (outcomes: readonly Outcome[]): readonly Group[] =>
  [...Map.groupBy(outcomes, ({text}) => text)].map(([text, members]) => ({
    names: members.map(({assistant}) => assistant).join(', '),
    text,
  }));

/** Where there is no room for a line each: those of which the same is said, in one sentence. */
function Together({groups}: {readonly groups: readonly Group[]}) {
  const {done} = useGlyphs();
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {groups.map(({names, text}) => (
        <Prose key={text}>
          <Text color={color.success}>{done}</Text> {names}: <Text dimColor>{text}</Text>
        </Prose>
      ))}
    </Box>
  );
}

type Sentence = {readonly before: string; readonly strong: string};

type FilesProps = {readonly plan: Plan; readonly settings: Settings; readonly room: number};

/** The least that the files have, in rows: the title, one of them, and how many there are more. */
const LEAST = 3;

/** What was written, and where; as many of them as there is room for. */
function Files({plan: {files}, settings, room}: FilesProps) {
  const {columns} = useSize();
  const title = settings.demo ? `Files, below ${settings.demo.directory}` : 'Files';
  const lines = files.map(({path, change}) => ({path, text: `${showPath(path, settings)}, ${change}`}));
  const shown = fitting(lines, room - rowsOf(title, columns), columns);
  return (
    <Box flexDirection="column" paddingLeft={2}>
      <Text wrap="hard">{title}</Text>
      {shown.map(({path, text}) => (
        <Text key={path} dimColor wrap="hard">
          {text}
        </Text>
      ))}
      {shown.length < files.length ? <Text dimColor>and {files.length - shown.length} more</Text> : null}
    </Box>
  );
}
