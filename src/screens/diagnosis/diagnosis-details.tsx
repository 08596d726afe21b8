import {Box} from 'ink';
import type {Outcome} from '../../domain/finding.ts';
import {SETUP} from '../../setup-command.ts';
import type {GroupRow} from '../../state/diagnosis/diagnosis-rows.ts';
import {linesOf} from '../../text.ts';
import {Prose, Text} from '../parts/safe-text.tsx';

type PartName = 'title' | 'sentence' | 'saw' | 'remedy' | 'more' | 'says';

/** A part of the details, with its lines. */
export type Part = {readonly name: PartName; readonly lines: readonly string[]};

/** Returns the first `rows` lines. If there are more, the last one ends with an ellipsis. */
export const cutLines = (lines: readonly string[], rows: number): readonly string[] => {
  if (lines.length <= rows) return lines;
  const [last = '', ...before] = lines.slice(0, rows).reverse();
  return rows < 1 ? [] : [...before.reverse(), `${last.slice(0, Math.max(0, last.length - 1))}…`];
};

const LABEL = 'What to do: ';

/** Returns the parts of a check in reading order. `says` is what a fix would do. */
export const partsOf = (
  {title, outcome, says}: {title: string; outcome: Outcome | undefined; says?: string | undefined},
  width: number,
): readonly Part[] => {
  const part = (name: PartName, text: string | undefined) => (text ? [{name, lines: linesOf(text, width)}] : []);
  if (!outcome) return part('title', `${title}: not checked yet`);
  const {saw, sentence, remedy, ms, verdict, explain} = outcome;
  const seen = verdict === 'skipped' ? saw : `${saw}, ${ms} ms`;
  return [
    ...part('title', `${title}: ${verdict}`),
    ...part('sentence', sentence),
    ...part('saw', verdict === 'fail' ? undefined : seen),
    ...part('remedy', remedy && `${LABEL}${remedy}`),
    ...part('more', explain && `More: ${SETUP} explain ${explain}`),
    ...part('says', says && `${says} Press Enter to do it.`),
  ];
};

/** Returns the parts of a layer, if the person points at the layer and not at one of its checks. */
export const partsOfGroup = ({name, summary, verdict, reason}: GroupRow, width: number): readonly Part[] => [
  {
    name: 'title',
    lines: linesOf(`${name}: ${verdict === 'pass' && /^\d+$/.test(summary) ? 'all passed' : summary}`, width),
  },
  ...(reason === undefined ? [] : [{name: 'saw', lines: linesOf(reason, width)} as const]),
];

/** Returns the number of rows that the parts take, with `gap` rows between them. */
export const heightOf = (parts: readonly Part[], gap: number): number =>
  parts.reduce((rows, {lines}) => rows + lines.length, 0) + gap * Math.max(0, parts.length - 1);

/** The order in which parts get rows if there are few. The title is last, because the list shows it too. */
const urgency: readonly PartName[] = ['says', 'remedy', 'sentence', 'more', 'saw', 'title'];

/** Returns as many of the parts as fit into `room` rows, the more urgent ones first. */
export const fitParts = (parts: readonly Part[], room: number, gap: number): readonly Part[] => {
  const fitting = new Map<PartName, Part>();
  let left = room;
  for (const name of urgency) {
    const part = parts.find(one => one.name === name);
    const above = fitting.size > 0 ? gap : 0;
    if (!part || left - above < 1) continue;
    // A command that is cut off cannot be typed.
    if (name === 'more' && part.lines.length > left - above) continue;
    const lines = cutLines(part.lines, left - above);
    fitting.set(name, {name, lines});
    left -= above + lines.length;
  }
  return parts.flatMap(({name}) => fitting.get(name) ?? []);
};

/** Whether a part is left out or cut. The title does not matter here, because the list shows it too. */
export const isCut = (all: readonly Part[], shown: readonly Part[]): boolean =>
  all.some(({name, lines}) => {
    const found = shown.find(one => one.name === name);
    return name !== 'title' && found?.lines.join(' ') !== lines.join(' ');
  });

/** Shows the parts of one check or layer. */
export function Details({parts, gap}: {readonly parts: readonly Part[]; readonly gap: number}) {
  return (
    <Box flexDirection="column" rowGap={gap}>
      {parts.map(({name, lines}) => (
        <PartLines key={name} name={name} text={lines.join('\n')} />
      ))}
    </Box>
  );
}

function PartLines({name, text}: {readonly name: PartName; readonly text: string}) {
  if (name === 'title') return <Prose bold>{text}</Prose>;
  if (name === 'saw' || name === 'more') return <Prose>{text}</Prose>;
  if (name === 'says') return <Prose bold>{text}</Prose>;
  if (name === 'sentence') return <Prose>{text}</Prose>;
  return (
    <Prose>
      <Text>{text.slice(0, LABEL.length)}</Text>
      {text.slice(LABEL.length)}
    </Prose>
  );
}
