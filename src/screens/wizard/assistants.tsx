import {Box} from 'ink';
import {useEffect, useRef, useState} from 'react';
import type {WizardEvent} from '../../state/events.ts';
import type {WizardState} from '../../state/model.ts';
import {type AssistantRow, type AssistantsView, nextOf, type Selecting} from '../../state/view/view.ts';
import type {Binding} from '../parts/keys.tsx';
import {rowsOf, useGap, useRoom} from '../parts/layout/room.ts';
import {useSize} from '../parts/layout/size.tsx';
import {Rest, type Window, windowOf} from '../parts/layout/window.tsx';
import {Prose} from '../parts/prose.tsx';
import {Screen} from '../parts/screen.tsx';
import {Text} from '../parts/text.tsx';
import {color, useGlyphs} from '../parts/theme.ts';

type Props = {
  readonly state: WizardState;
  readonly view: AssistantsView;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
};

/** Which assistants are connected, for whom, and how that is kept up. Those that are here are ticked. */
export function Assistants({state, view, dispatch, back}: Props) {
  const {heading, note} = view;
  const [selecting, setSelecting] = useState<Selecting>(view.initial);
  const {ticked} = selecting;
  const {tools} = view;
  const choice = selecting.tools ?? tools?.usual ?? 'all';
  const look = tools?.look(choice);
  // biome-ignore lint/correctness/useExhaustiveDependencies: What a choice takes is asked for once it is looked at.
  useEffect(() => {
    if (look) dispatch(look);
  }, [choice]);
  // Where nobody was found the person has to see whom they can tick.
  const [showsAll, setShowsAll] = useState(note !== undefined);
  const position = useRef(0);
  const [, redraw] = useState(0);

  const all = view.rows(selecting);
  const near = all.filter(({isNear}) => isNear);
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
    setSelecting(current => {
      const next = new Set(current.ticked);
      if (!next.delete(row.id)) next.add(row.id);
      return {...current, ticked: next};
    });
  };
  // Keys that arrive together each build on the one before.
  const change = (to: (current: Selecting) => Partial<Selecting>) =>
    setSelecting(current => ({...current, ...to(current)}));
  const bindings: readonly Binding[] = [
    {keys: ['enter'], label: 'continue', run: () => dispatch(view.toEvent(selecting))},
    {keys: [' '], label: 'tick', run: tick},
    {keys: ['up', 'k'], label: 'choose', run: () => move(-1)},
    {keys: ['down', 'j'], run: () => move(1)},
    {
      keys: ['s', 'tab'],
      label: 'scope',
      run: () => change(({scope}) => ({scope: scope === 'user' ? 'project' : 'user'})),
    },
    {keys: ['m'], label: 'sign-in', run: () => change(({method}) => ({method: nextOf(view.methods, method)}))},
    ...(tools
      ? [
          {
            keys: ['t'],
            label: 'tools',
            run: () => change(other => ({tools: nextOf(tools.choices, other.tools ?? tools.usual)})),
          },
        ]
      : []),
    ...(near.length === all.length
      ? []
      : [{keys: ['o'], label: showsAll ? 'fewer' : 'others', run: () => setShowsAll(!showsAll)}]),
    ...back,
  ];
  const settings = [
    {name: 'Scope', text: view.scope(selecting)},
    {name: 'Sign-in', text: view.signIn(selecting)},
    ...(tools ? [{name: 'Tools', text: tools.say(choice)}] : []),
  ];
  const {columns} = useSize();
  const below = settings.reduce((sum, {text}) => sum + rowsOf(text, columns - INDENT), 0);
  const above = note === undefined ? 0 : rowsOf(note, columns - 2) + 1;
  const room = useRoom(state, heading, bindings) - useGap() - above - below - (columns < NARROW ? 1 : 0);
  const least = Math.min(LEAST, rows.length);
  // Where there is room for next to nothing the scope is left to the path, and where that is not enough a setting is cut.
  const isScant = room < least;
  const isCut = room + 1 < least;
  const shown = windowOf(rows.length, at, Math.max(LEAST, room));
  return (
    <Screen state={state} heading={heading} bindings={bindings}>
      {note === undefined || isScant ? null : (
        <Box paddingLeft={2}>
          <Prose>{note}</Prose>
        </Box>
      )}
      <List rows={rows} at={at} ticked={ticked} shown={shown} />
      <Box flexDirection="column" paddingLeft={2}>
        {(isScant ? settings.slice(-2) : settings).map(({name, text}) => (
          <Setting key={name} name={name} text={text} isCut={isCut} />
        ))}
      </Box>
    </Screen>
  );
}

/** How wide the names of the settings are, in columns. */
const INDENT = 10;

/** In fewer columns than this, what becomes of an assistant stands below its name. */
const NARROW = 80;

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
  const isNarrow = columns < NARROW;
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
              <Effect row={row} />
            </Box>
          )}
        </Box>
      ))}
      <Rest window={shown} />
    </Box>
  );
}

/** Where there is little room the path is cut, and not what becomes of the sign-in. */
function Effect({row: {path, effect}}: {readonly row: AssistantRow}) {
  const {columns} = useSize();
  // Where there is next to none, both are.
  if (columns < SCANT) {
    return (
      <Text dimColor wrap="truncate-middle">
        {path === undefined ? effect : `${path}, ${effect}`}
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
      <Box flexShrink={path === undefined ? 1 : 0}>
        <Text dimColor wrap="truncate-end">
          {path === undefined ? effect : `, ${effect}`}
        </Text>
      </Box>
    </>
  );
}

function Setting({name, text, isCut}: {readonly name: string; readonly text: string; readonly isCut: boolean}) {
  return (
    <Box>
      <Box width={INDENT} flexShrink={0}>
        <Text>{name}</Text>
      </Box>
      {isCut ? (
        <Text dimColor wrap="truncate">
          {text}
        </Text>
      ) : (
        <Prose dimColor>{text}</Prose>
      )}
    </Box>
  );
}
