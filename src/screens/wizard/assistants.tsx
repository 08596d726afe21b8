import {Box} from 'ink';
import {useEffect, useState} from 'react';
import type {WizardEvent} from '../../state/events.ts';
import {type AssistantRow, type AssistantsView, type Header, nextOf, type Selecting} from '../../state/view/view.ts';
import {FilterLine, useFilter} from '../parts/choice.tsx';
import type {Binding} from '../parts/keys.tsx';
import {walkBindings} from '../parts/keys.tsx';
import {rowsOf, useFit} from '../parts/layout.tsx';
import {Prose, Text} from '../parts/safe-text.tsx';
import {Screen} from '../parts/screen.tsx';
import {Rest, useSize, type Window, windowOf} from '../parts/size.tsx';
import {useGlyphs} from '../parts/theme.ts';

type Props = {
  readonly header: Header;
  readonly view: AssistantsView;
  readonly dispatch: (event: WizardEvent) => void;
  readonly back: readonly Binding[];
};

/** Asks which assistants are connected, for whom, and how they stay signed in. Installed ones are ticked. */
export function Assistants({header, view, dispatch, back}: Props) {
  const {heading, note} = view;
  const [selecting, setSelecting] = useState(view.initial);
  const {ticked} = selecting;
  const {tools} = view;
  const choice = selecting.tools ?? tools?.usual ?? 'all';
  const look = tools?.look(choice);
  // biome-ignore lint/correctness/useExhaustiveDependencies: A choice is looked up when it is shown.
  useEffect(() => {
    if (look) dispatch(look);
  }, [choice]);
  // If no assistant was found, the person has to see those that they can tick.
  const [showsAll, setShowsAll] = useState(view.showsAll === true);
  // A row whose tick is removed stays in place, so that it can be ticked again.
  const [listedFirst] = useState(() => new Set(view.rows(selecting).flatMap(({id, isNear}) => (isNear ? [id] : []))));
  const [pointed, setPointed] = useState<string>();
  const filter = useFilter(view.rows(selecting).length);

  const all = view.rows(selecting);
  const near = all.filter(({id, isNear}) => isNear || listedFirst.has(id));
  // The filter searches every assistant, not only the visible ones.
  const listed = showsAll || near.length === 0 || filter.isOpen ? all : near;
  const rows = listed.filter(({name}) => filter.matches(name));
  const at = Math.max(
    0,
    rows.findIndex(({id}) => id === pointed),
  );
  const to = (index: number) => setPointed(rows[index]?.id);
  const select = (next: Selecting) => {
    setSelecting(next);
    dispatch(view.toChange(next));
  };
  const tick = (...ids: readonly string[]) => {
    const isEach = ids.every(id => ticked.has(id));
    const others = [...ticked].filter(id => !ids.includes(id));
    select({...selecting, ticked: new Set(isEach ? others : [...ticked, ...ids])});
  };
  const find = () => {
    const row = rows[at];
    if (!row) return;
    filter.close();
    setPointed(row.id);
    if (!row.isNear) setShowsAll(true);
  };
  const change = (to: Partial<Selecting>) => select({...selecting, ...to});
  const hidden = all.length - near.length;
  const walk = walkBindings({count: rows.length, at, page: PAGE, to, label: 'choose', isTyping: filter.isOpen});
  const keys: readonly Binding[] = [
    {keys: ['enter'], label: 'continue', run: () => dispatch(view.toEvent(selecting))},
    {keys: [' '], label: 'tick', run: () => tick(...rows.slice(at, at + 1).map(({id}) => id))},
    ...walk,
    {keys: ['s', 'tab'], label: 'scope', run: () => select(view.nextScope(selecting))},
    ...(view.hasOtherMethod(selecting)
      ? [{keys: ['m'], label: 'sign-in', run: () => select(view.nextMethod(selecting))}]
      : []),
    {keys: ['r'], label: 'act as', isExtra: true, run: () => select(view.nextActor(selecting))},
    ...(tools ? [{keys: ['t'], label: 'tools', run: () => change({tools: nextOf(tools.choices, choice)})}] : []),
    ...(hidden === 0 ? [] : [{keys: ['o'], label: showsAll ? 'fewer' : 'others', run: () => setShowsAll(!showsAll)}]),
    {keys: ['a'], label: 'all, none', isExtra: true, run: () => tick(...rows.map(({id}) => id))},
    ...filter.bindings,
    ...back,
  ];
  const bindings = filter.isOpen
    ? [{keys: ['enter'], ...(rows.length > 0 ? {label: 'go to it'} : {}), run: find}, ...walk, ...filter.bindings]
    : keys;
  const every = [
    {name: 'Scope', text: view.scope(selecting)},
    {name: 'Act as', text: view.actsAs(selecting)},
    {name: 'Sign-in', text: view.signIn(selecting)},
    ...(tools ? [{name: 'Tools', text: tools.say(choice, selecting.method)}] : []),
  ];
  const {columns} = useSize();
  const heightOf = ({text}: Setting) => rowsOf(text, columns - INDENT);
  const rowsBelow = (settings: readonly Setting[]) => settings.reduce((sum, one) => sum + heightOf(one), 0);
  const above = note === undefined ? 0 : rowsOf(note, columns - 2);
  const beside = (columns < NARROW ? 1 : 0) + (filter.isOpen ? 1 : 0);
  const around = above + rowsBelow(every) + beside;
  const needs = {rows: around + Math.min(rows.length, COMFORTABLE), parts: note === undefined ? 2 : 3};
  const layout = useFit(header, heading, bindings)(needs);
  // With few rows, “Act as” goes first if it has its usual value (the assistants act as the person), then the note.
  const isUsual = view.actsAs(selecting) === view.actsAs({...selecting, actsAs: 'you'});
  const unusual = isUsual ? every.filter(({name}) => name !== 'Act as') : every;
  const roomBelow = layout.room - beside - Math.min(LEAST, rows.length);
  const hasNote = rowsBelow(unusual) + above <= roomBelow;
  const noteRows = hasNote ? above : 0;
  const isWhole = rowsBelow(every) + noteRows <= roomBelow;
  const settings = isWhole
    ? every.map(one => ({...one, isCut: false}))
    : fitted(unusual, heightOf, roomBelow - noteRows);
  const taken = settings.reduce((sum, one) => sum + (one.isCut ? 1 : heightOf(one)), noteRows);
  const room = layout.room - beside - taken;
  const shown = windowOf(rows.length, at, Math.max(Math.min(LEAST, layout.room), room));
  return (
    <Screen header={header} heading={heading} bindings={bindings} typing={filter.isOpen} layout={layout}>
      {note === undefined || !hasNote ? null : (
        <Box paddingLeft={2}>
          <Prose>{note}</Prose>
        </Box>
      )}
      <Box flexDirection="column">
        <FilterLine filter={filter} shown={rows.length} />
        <List rows={rows} at={at} ticked={ticked} shown={shown} />
      </Box>
      <Box flexDirection="column" paddingLeft={2}>
        {settings.map(({name, text, isCut}) => (
          <SettingRow key={name} name={name} text={text} isCut={isCut} />
        ))}
      </Box>
    </Screen>
  );
}

/** A setting below the list. */
type Setting = {readonly name: string; readonly text: string};

/**
 * Fits settings into a number of rows. The first ones are cut to one line each, as many as necessary. If that is not
 * enough, the first ones go, because the path implies the scope; at least two stay.
 */
const fitted = (settings: readonly Setting[], heightOf: (setting: Setting) => number, room: number) => {
  for (let left = settings.length; left >= 2; left -= 1) {
    for (let cut = 0; cut < left; cut += 1) {
      const shown = settings.slice(-left).map((one, index) => ({...one, isCut: index < cut}));
      if (shown.reduce((sum, one) => sum + (one.isCut ? 1 : heightOf(one)), 0) <= room) return shown;
    }
  }
  return settings.slice(-2).map(one => ({...one, isCut: true}));
};

/** The number of rows that the list keeps, if it has them, before the introduction and the margins get any. */
const COMFORTABLE = 6;

/** The number of rows that a page key moves. */
const PAGE = 5;

/** The width of the names of the settings, in columns. */
const INDENT = 10;

/** In fewer columns than this, the effect on an assistant stands below its name. */
const NARROW = 79;

/** In fewer columns than this, there is no room for a path beside words. */
const SCANT = 56;

/** The fewest rows of the list. */
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
            <Text bold={index === at - shown.top}>
              {index === at - shown.top ? pointer : ' '} {ticked.has(row.id) ? on : off} {row.name}
              <Text>{row.version ? ` ${row.version}` : ''}</Text>
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

/** If there is little room, the path is cut rather than the effect on the sign-in. */
function Effect({row: {path, effect}}: {readonly row: AssistantRow}) {
  const {columns} = useSize();
  // If there is almost no room, both are cut.
  if (columns < SCANT) {
    return <Text wrap="truncate-middle">{path === undefined ? effect : `${path}, ${effect}`}</Text>;
  }
  return (
    <>
      {path === undefined ? null : (
        <Box flexShrink={1} minWidth={0}>
          <Text wrap="truncate-middle">{path}</Text>
        </Box>
      )}
      <Box flexShrink={path === undefined ? 1 : 0}>
        <Text wrap="truncate-end">{path === undefined ? effect : `, ${effect}`}</Text>
      </Box>
    </>
  );
}

function SettingRow({name, text, isCut}: Setting & {readonly isCut: boolean}) {
  return (
    <Box>
      <Box width={INDENT} flexShrink={0}>
        <Text>{name}</Text>
      </Box>
      {isCut ? <Text wrap="truncate">{text}</Text> : <Prose>{text}</Prose>}
    </Box>
  );
}
