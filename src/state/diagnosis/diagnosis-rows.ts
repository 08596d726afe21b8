import type {CheckVerdict, Layer, Outcome} from '../../domain/finding.ts';
import {layerName, needsAttention} from '../../domain/finding.ts';
import type {DiagnosisState} from './diagnosis-run.ts';

/** The heading of a layer. The layer's checks stand below it while it is open. */
export type GroupRow = {
  readonly kind: 'group';
  readonly key: string;
  readonly layer: Layer;
  readonly name: string;
  /** The worst verdict of its checks; undefined while some are running and none has found trouble so far. */
  readonly verdict: CheckVerdict | undefined;
  /** The number of checks if all passed, else how they ended, in words. While some are running: how many have ended. */
  readonly summary: string;
  /** As `summary`, but about failures and warnings only. Empty if there are none. */
  readonly troubles: string;
  /** Why every check of the layer was skipped, if all have the same reason. */
  readonly reason?: string;
  readonly isOpen: boolean;
};

export type CheckRow = {
  readonly kind: 'check';
  /** The ID of the check. */
  readonly key: string;
  readonly layer: Layer;
  readonly title: string;
  readonly outcome: Outcome | undefined;
};

export type DiagnosisRow = GroupRow | CheckRow;

/** The layers that the person has opened or closed. */
export type Folds = ReadonlyMap<Layer, boolean>;

/** The layer of checks that name no layer. */
const GROUND: Layer = 'machine';

/**
 * Returns the diagnosis as a list: a row for each layer, and the checks of those that are open. A layer opens by itself
 * as soon as one of its checks has an outcome that the person has to read. While any check fails, skipped checks open
 * no layer.
 */
export const diagnosisRows = ({checks, outcomes}: DiagnosisState, folds: Folds): readonly DiagnosisRow[] => {
  const isBroken = Object.values(outcomes).some(({verdict}) => verdict === 'fail');
  const opens = (outcome: Outcome) => needsAttention(outcome) && !(isBroken && outcome.verdict === 'skipped');
  return [...Map.groupBy(checks, ({layer = GROUND}) => layer)].flatMap(([layer, own]): readonly DiagnosisRow[] => {
    const ended = own.flatMap(({id}) => outcomes[id] ?? []);
    const isOpen = folds.get(layer) ?? ended.some(opens);
    const rows = own.map(({id, title}): CheckRow => ({kind: 'check', key: id, layer, title, outcome: outcomes[id]}));
    return [groupRow(layer, ended, own.length, isOpen), ...(isOpen ? rows : [])];
  });
};

const groupRow = (layer: Layer, ended: readonly Outcome[], total: number, isOpen: boolean): GroupRow => {
  const isWhole = ended.length === total;
  const verdict = worst.find(one => ended.some(({verdict}) => verdict === one)) ?? (isWhole ? calm(ended) : undefined);
  const [first, ...others] = new Set(ended.map(({verdict, saw}) => (verdict === 'skipped' ? saw : undefined)));
  return {
    ...{kind: 'group', key: groupKey(layer), layer, name: layerName[layer], verdict, isOpen},
    summary: isWhole ? inWords(ended) : `${ended.length} of ${total}`,
    troubles: counted(ended.filter(({verdict}) => verdict === 'fail' || verdict === 'warning')),
    ...(isWhole && first !== undefined && others.length === 0 ? {reason: first} : {}),
  };
};

/** Returns the key of a layer's own row. */
export const groupKey = (layer: Layer): string => `layer ${layer}`;

const worst = ['fail', 'warning'] as const;

const calm = (ended: readonly Outcome[]): CheckVerdict =>
  ended.some(({verdict}) => verdict === 'pass') ? 'pass' : 'skipped';

const words = [
  ['fail', () => 'failed'],
  ['warning', (count: number) => (count === 1 ? 'warning' : 'warnings')],
  ['pass', () => 'passed'],
  ['skipped', () => 'skipped'],
] as const;

const inWords = (ended: readonly Outcome[]): string =>
  ended.every(({verdict}) => verdict === 'pass') ? String(ended.length) : counted(ended);

const counted = (outcomes: readonly Outcome[]): string =>
  words
    .flatMap(([verdict, word]) => {
      const {length} = outcomes.filter(one => one.verdict === verdict);
      return length > 0 ? [`${length} ${word(length)}`] : [];
    })
    .join(', ');

/** Returns the index of the row with this key; if its layer is closed, the layer's row; else the first row. */
export const rowAt = (rows: readonly DiagnosisRow[], key: string | undefined, layer: Layer | undefined): number => {
  const index = rows.findIndex(row => row.key === key);
  if (index >= 0) return index;
  return Math.max(
    0,
    rows.findIndex(row => row.kind === 'group' && row.layer === layer),
  );
};
