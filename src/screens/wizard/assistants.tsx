import {Box, Text} from 'ink';
import {useRef, useState} from 'react';
import {type AssistantRow, assistantRows, fateOf, keepingUp} from '../../state/assistant-rows.ts';
import {choiceOf, tickedOf} from '../../state/derived.ts';
import type {Choice, WizardState} from '../../state/model.ts';
import {headingOf} from '../../state/progress.ts';
import type {WizardEvent} from '../../state/reducer.ts';
import type {Binding} from '../parts/keys.tsx';
import {Prose} from '../parts/prose.tsx';
import {useGap, useRoom} from '../parts/room.ts';
import {Screen} from '../parts/screen.tsx';
import {useSize} from '../parts/size.tsx';
import {color, useGlyphs} from '../parts/theme.ts';
import {Rest, type Window, windowOf} from '../parts/window.tsx';

type Props = {
  readonly state: WizardState;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
};

/** Which assistants are connected, for whom, and how that is kept up. Those that are here are ticked. */
export function Assistants({state, now, dispatch, back}: Props) {
  const connect = state.chosen ?? state.settings.connect ?? {};
  const [ticked, setTicked] = useState<ReadonlySet<string>>(() => tickedOf(state));
  const [scope, setScope] = useState<Choice['scope']>(connect.scope ?? 'user');
  const [method, setMethod] = useState<Choice['method']>(connect.method ?? 'auto');
  const [showsAll, setShowsAll] = useState(false);
  const position = useRef(0);
  const [, redraw] = useState(0);

  const all = assistantRows(state, {scope, method}, now);
  const near = all.filter(({id, installed, connected}) => installed || connected || ticked.has(id));
  const rows = showsAll || near.length === 0 ? all : near;
  const place = () => Math.min(position.current, rows.length - 1);
  const at = place();
  const move = (by: number) => {
    position.current = (place() + by + rows.length) % rows.length;
    redraw(position.current);
  };
  const tick = () => {
    const row = rows[place()];
    if (!row) return;
    setTicked(current => {
      const next = new Set(current);
      if (!next.delete(row.id)) next.add(row.id);
      return next;
    });
  };
  const submit = () => {
    dispatch({type: 'answered', answers: {connect: choiceOf(state, ticked, {scope, method})}});
  };
  const bindings: readonly Binding[] = [
    {keys: ['enter'], label: 'continue', run: submit},
    {keys: [' '], label: 'tick', run: tick},
    {keys: ['up', 'k'], label: 'choose', run: () => move(-1)},
    {keys: ['down', 'j'], run: () => move(1)},
    {keys: ['s', 'tab'], label: 'scope', run: () => setScope(scope === 'user' ? 'project' : 'user')},
    {keys: ['m'], label: 'sign-in', run: () => setMethod(method === 'header' ? 'auto' : 'header')},
    ...(near.length === all.length
      ? []
      : [{keys: ['o'], label: showsAll ? 'fewer' : 'others', run: () => setShowsAll(!showsAll)}]),
    ...back,
  ];
  const room = useRoom(state, headingOf.assistants, bindings) - useGap() - AROUND;
  const shown = windowOf(rows.length, at, Math.max(LEAST, room));
  return (
    <Screen state={state} heading={headingOf.assistants} bindings={bindings}>
      <List rows={rows} at={at} ticked={ticked} shown={shown} />
      <Box flexDirection="column" paddingLeft={2}>
        <Setting name="Scope" text={scope === 'user' ? 'all your projects' : 'this project only'} />
        <Setting name="Sign-in" text={keepingUp(state, method, now)} />
      </Box>
    </Screen>
  );
}

/** The two settings below the list, and what does not stand beside its name in a narrow terminal, in rows. */
const AROUND = 4;

/** Fewer columns than this hold no path beside words. */
const SCANT = 56;

/** The least that is shown of the list, in rows. */
const LEAST = 2;

type ListProps = {
  readonly rows: readonly AssistantRow[];
  readonly at: number;
  readonly ticked: ReadonlySet<string>;
  readonly shown: Window;
};

function List({rows, at, ticked, shown}: ListProps) {
  const {pointer, ticked: on, unticked: off} = useGlyphs();
  const {columns} = useSize();
  const isNarrow = columns < 80;
  const seen = rows.slice(shown.top, shown.top + shown.shown);
  const width = Math.max(...seen.map(({name, version = ''}) => name.length + version.length)) + 4;
  return (
    <Box flexDirection="column" paddingLeft={2}>
      {seen.map((row, index) => (
        <Box key={row.id} columnGap={2} flexDirection={isNarrow ? 'column' : 'row'}>
          <Box flexShrink={0} width={isNarrow ? '100%' : width + 4}>
            <Text {...(index === at - shown.top ? {color: color.accent} : {})}>
              {index === at - shown.top ? pointer : ' '} {ticked.has(row.id) ? on : off} {row.name}
              <Text dimColor>{row.version ? ` ${row.version}` : ''}</Text>
            </Text>
          </Box>
          {isNarrow && index !== at - shown.top ? null : (
            <Box paddingLeft={isNarrow ? 4 : 0} flexShrink={1} minWidth={0}>
              <Fate row={row} isTicked={ticked.has(row.id)} />
            </Box>
          )}
        </Box>
      ))}
      <Rest window={shown} />
    </Box>
  );
}

/** Where there is little room the path is cut, and not what becomes of the sign-in. */
function Fate({row, isTicked}: {readonly row: AssistantRow; readonly isTicked: boolean}) {
  const {columns} = useSize();
  const {path, words} = fateOf(row, isTicked);
  // Where there is next to none, both are.
  if (columns < SCANT) {
    return (
      <Text dimColor wrap="truncate-middle">
        {path === undefined ? words : `${path}, ${words}`}
      </Text>
    );
  }
  return (
    <>
      {path === undefined ? null : (
        <Box flexShrink={1} minWidth={0}>
          <Text dimColor wrap="truncate-middle">
            {path}
          </Text>
        </Box>
      )}
      <Box flexShrink={0}>
        <Text dimColor>{path === undefined ? words : `, ${words}`}</Text>
      </Box>
    </>
  );
}

function Setting({name, text}: {readonly name: string; readonly text: string}) {
  return (
    <Box>
      <Box width={10} flexShrink={0}>
        <Text>{name}</Text>
      </Box>
      <Prose dimColor>{text}</Prose>
    </Box>
  );
}
