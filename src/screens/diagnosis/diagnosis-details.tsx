import {Box} from 'ink';
import type {Outcome} from '../../domain/finding.ts';
import {SETUP} from '../../setup-command.ts';
import type {GroupRow} from '../../state/diagnosis/diagnosis-rows.ts';
import {linesOf} from '../../text.ts';
import {Prose, Text} from '../parts/text.tsx';

type PartName = 'title' | 'sentence' | 'saw' | 'remedy' | 'more' | 'says';

/** A part of the details, over as many lines as it may have. */
export type Part = {readonly name: PartName; readonly lines: readonly string[]};

/** The first of these lines, the last of them marked if there are more. */
export const cutLines = (lines: readonly string[], rows: number): readonly string[] => {
  if (lines.length <= rows) return lines;
  const [last = '', ...before] = lines.slice(0, rows).reverse();
  return rows < 1 ? [] : [...before.reverse(), `${last.slice(0, Math.max(0, last.length - 1))}…`];
};

const LABEL = 'What to do: ';

/** What there is to say of a check, in the order in which it is read. `says` is what a fix would do. */
export const partsOf = (
  {title, outcome, says}: {title: string; outcome: Outcome | undefined; says?: string | undefined},
  width: number,
): readonly Part[] => {
  const part = (name: PartName, text: string | undefined) => (text ? [{name, lines: linesOf(text, width)}] : []);
  if (!outcome) return part('title', `${title}: not yet`);
  const {saw, sentence, remedy, ms, verdict, explain} = outcome;
  const seen = verdict === 'skipped' ? saw : `${saw}, ${ms} ms`;
  return [
    ...part('title', `${title}: ${verdict}`),
    ...part('sentence', sentence),
    ...part('saw', verdict === 'fail' ? undefined : seen),
    ...part('remedy', remedy && `${LABEL}${remedy}`),
    ...part('more', explain && `More: ${SETUP} explain ${explain}`),
    ...part('says', says && `${says} Enter does it.`),
  ];
};

/** What there is to say of a layer whose checks are not looked at one by one. */
export const partsOfGroup = ({name, summary, verdict, reason}: GroupRow, width: number): readonly Part[] => [
  {
    name: 'title',
    lines: linesOf(`${name}: ${verdict === 'pass' && /^\d+$/.test(summary) ? 'all passed' : summary}`, width),
  },
  ...(reason === undefined ? [] : [{name: 'saw', lines: linesOf(reason, width)} as const]),
];

/** How many rows these take, with so many between them. */
export const heightOf = (parts: readonly Part[], gap: number): number =>
  parts.reduce((rows, {lines}) => rows + lines.length, 0) + gap * Math.max(0, parts.length - 1);

/** Who is given rows first where there are few. The list next to the details has the title too. */
const urgency: readonly PartName[] = ['says', 'remedy', 'sentence', 'more', 'saw', 'title'];

/** As much of the parts as has room, the more urgent first. */
export const fitParts = (parts: readonly Part[], room: number, gap: number): readonly Part[] => {
  const fitting = new Map<PartName, Part>();
  let left = room;
  for (const name of urgency) {
    const part = parts.find(one => one.name === name);
    const above = fitting.size > 0 ? gap : 0;
    if (!part || left - above < 1) continue;
    // A command that is cut cannot be typed.
    if (name === 'more' && part.lines.length > left - above) continue;
    const lines = cutLines(part.lines, left - above);
    fitting.set(name, {name, lines});
    left -= above + lines.length;
  }
  return parts.flatMap(({name}) => fitting.get(name) ?? []);
};

/** Whether something is left out that is nowhere else on the screen. */
export const isCut = (all: readonly Part[], shown: readonly Part[]): boolean =>
  all.some(({name, lines}) => {
    const found = shown.find(one => one.name === name);
    return name !== 'title' && found?.lines.join(' ') !== lines.join(' ');
  });

/** What is known of one check. */
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
