import {Box, Text, useWindowSize} from 'ink';
import {useState} from 'react';
import type {Plan, PlannedFile} from '../flows/plan-files.ts';
import type {Settings, WizardState} from '../state/model.ts';
import {headingOf} from '../state/progress.ts';
import type {WizardEvent} from '../state/reducer.ts';
import {showPath} from '../state/show-path.ts';
import type {Binding} from './keys.tsx';
import {Screen} from './screen.tsx';
import {color, useGlyphs} from './theme.ts';

type Props = {
  readonly state: WizardState;
  readonly plan: Plan;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
};

/** Every file that will change, with the diff of the chosen one. Nothing is written before Enter. */
export function Review({state, plan, dispatch, back}: Props) {
  const {files} = plan;
  const [at, setAt] = useState(0);
  const {rows} = useWindowSize();
  const [top, setTop] = useState(0);
  const move = (by: number) => {
    setAt(current => (current + by + files.length) % files.length);
    setTop(0);
  };
  const chosen = files[at];
  const lines = chosen?.diff ? chosen.diff.split('\n') : [];
  const most = Math.max(3, rows - files.length * 2 - 10);
  const scroll = (by: number) => setTop(current => Math.max(0, Math.min(lines.length - most, current + by)));
  const bindings: readonly Binding[] = [
    {keys: ['enter'], label: 'write', run: () => dispatch({type: 'answered', answers: {changesAccepted: true}})},
    {keys: ['up'], label: 'file', run: () => move(-1)},
    {keys: ['down'], run: () => move(1)},
    ...(lines.length > most
      ? [
          {keys: ['pgdn', ' '], label: 'more', run: () => scroll(most - 1)},
          {keys: ['pgup'], run: () => scroll(1 - most)},
        ]
      : []),
    ...back,
  ];
  return (
    <Screen state={state} heading={headingOf.review} bindings={bindings}>
      <FileList files={files} at={at} settings={state.settings} />
      {state.warnings.map(message => (
        <Warning key={message} message={message} />
      ))}
      {lines.length > 0 ? <Diff lines={lines} top={top} most={most} /> : null}
    </Screen>
  );
}

function FileList({
  files,
  at,
  settings,
}: {
  readonly files: readonly PlannedFile[];
  readonly at: number;
  readonly settings: Settings;
}) {
  const {pointer} = useGlyphs();
  const {columns} = useWindowSize();
  const isNarrow = columns < 70;
  const widest = Math.max(...files.map(({path}) => showPath(path, settings).length)) + 2;
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {files.map(({path, change, summary}, index) => (
        <Box key={path} flexDirection={isNarrow ? 'column' : 'row'} columnGap={3}>
          <Box flexShrink={1} minWidth={0} {...(isNarrow ? {} : {width: widest})}>
            <Text wrap="truncate-middle" {...(index === at ? {color: color.accent} : {})}>
              {index === at ? pointer : ' '} {showPath(path, settings)}
            </Text>
          </Box>
          <Box paddingLeft={isNarrow ? 2 : 0} flexShrink={0}>
            <Text dimColor wrap="truncate">
              {change}: {summary}
            </Text>
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function Warning({message}: {readonly message: string}) {
  const {warning} = useGlyphs();
  return (
    <Box paddingLeft={2}>
      <Text color={color.warning}>
        {warning} {message}
      </Text>
    </Box>
  );
}

type DiffProps = {readonly lines: readonly string[]; readonly top: number; readonly most: number};

/** As many lines of a diff as there is room for. A sign says what colour says. */
function Diff({lines, top, most}: DiffProps) {
  const shown = lines.slice(top, top + most);
  const rest = lines.length - top - shown.length;
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff repeat, and never move.
        <Text key={top + index} wrap="truncate" dimColor={!/^[+-]/.test(line)} {...paint(line)}>
          {line}
        </Text>
      ))}
      {lines.length > shown.length ? <Text dimColor>{rest > 0 ? `${rest} more lines` : 'The end'}</Text> : null}
    </Box>
  );
}

const paint = (line: string) => {
  if (line.startsWith('+')) return {color: color.success};
  return line.startsWith('-') ? {color: color.danger} : {};
};
