import type {CheckVerdict} from '../../domain/finding.ts';
import type {DiagnosisRow} from '../../state/diagnosis/diagnosis-rows.ts';
import {Text} from '../parts/text.tsx';
import {color, type Glyphs, useGlyphs} from '../parts/theme.ts';

const signs: Readonly<Record<CheckVerdict, readonly [(glyphs: Glyphs) => string, string | undefined]>> = {
  pass: [({done}) => done, color.success],
  warning: [({warning}) => warning, color.warning],
  fail: [({failed}) => failed, color.danger],
  skipped: [({none}) => none, undefined],
};

/** The sign of a verdict in its colour; that of what has still to come where there is none. */
export function Sign({verdict}: {readonly verdict: CheckVerdict | undefined}) {
  const glyphs = useGlyphs();
  const [glyph, paint] = verdict ? signs[verdict] : [({waiting}: Glyphs) => waiting, undefined];
  return <Text {...(paint ? {color: paint} : {})}>{glyph(glyphs)}</Text>;
}

/** A layer, or one of its checks, which stand further in. */
export function Line({row, isChosen}: {readonly row: DiagnosisRow; readonly isChosen: boolean}) {
  const {pointer} = useGlyphs();
  const isGroup = row.kind === 'group';
  const verdict = isGroup ? row.verdict : row.outcome?.verdict;
  return (
    <Text wrap="truncate" bold={isChosen}>
      {isGroup ? '' : '  '}
      {isChosen ? pointer : ' '} <Sign verdict={verdict} /> {isGroup ? row.name : row.title}
      {isGroup ? <Text> {row.isOpen && row.verdict ? row.troubles : row.summary}</Text> : null}
    </Text>
  );
}
