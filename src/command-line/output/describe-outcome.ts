import type {Outcome} from '../../domain/finding.ts';
import {byLayer, layerName, needsAttention} from '../../domain/finding.ts';
import {describeError} from '../../errors/describe-error.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Env} from '../../ports/ports.ts';
import {SETUP} from '../../setup-command.ts';
import {isUnicode} from './output.ts';

const unicode = {pass: '✔', warning: '▲', fail: '✖', skipped: '┊'} as const;
const plain = {pass: '+', warning: '!', fail: 'x', skipped: '-'} as const;

export const isFailureOrWarning = (verdict: Outcome['verdict']) => verdict === 'fail' || verdict === 'warning';

/**
 * Describes the outcome of a check, as lines for people.
 *
 * @param isWhole whether the sentence and the remedy of a skipped check are included
 * @param indent what stands before each part. Lines to copy are not indented: a here-document ends only at the beginning
 *   of a line.
 */
export const describeOutcome = (
  {verdict, title, saw, sentence, remedy, explain}: Outcome,
  env: Env,
  {isWhole = false, indent = ''} = {},
): string =>
  [
    `${(isUnicode(env) ? unicode : plain)[verdict]} ${title}: ${verdict === 'fail' ? sentence : saw}`,
    ...(sentence && (verdict === 'warning' || (verdict === 'skipped' && isWhole)) ? [`    ${sentence}`] : []),
    ...(remedy && (isWhole || isFailureOrWarning(verdict)) ? [`    ${remedy}`] : []),
    ...(explain === undefined ? [] : [`    More: ${SETUP} explain ${explain}`]),
  ]
    .map(part => `${indent}${part}`)
    .join('\n');

/**
 * Describes outcomes by layer. A layer without trouble gets one line with the number of its outcomes. A layer with
 * trouble gets its name, each trouble, and the numbers of the others.
 *
 * @returns lines for people
 */
export const describeLayers = (outcomes: readonly Outcome[], env: Env): readonly string[] => {
  const glyphs = isUnicode(env) ? unicode : plain;
  return byLayer(outcomes).flatMap(({layer, outcomes: own, isTroubled: isOpen}) => {
    const passed = own.filter(({verdict}) => verdict === 'pass').length;
    const left = own.length - passed;
    const passes = left === 0 ? passed : `${passed} passed, ${left} skipped`;
    if (!isOpen)
      return [
        `${passed > 0 ? glyphs.pass : glyphs.skipped} ${layerName[layer]} ${passed > 0 ? passes : skippedIn(own)}`,
      ];
    const others = [
      ...(passed > 0 ? [`  ${glyphs.pass} ${passed} passed`] : []),
      ...skippedFor(own).map(line => `  ${glyphs.skipped} ${line}`),
    ];
    const troubles = withoutRepeats(own.filter(needsAttention)).map(one =>
      describeOutcome(one, env, {isWhole: true, indent: '  '}),
    );
    return [layerName[layer], ...troubles, ...others];
  });
};

/** A remedy that several outcomes in a row share is given once, after the last of them. */
const withoutRepeats = (outcomes: readonly Outcome[]): readonly Outcome[] =>
  outcomes.map((one, index) => {
    const {remedy, explain, ...rest} = one;
    const next = outcomes[index + 1];
    return next && next.remedy === remedy && next.explain === explain ? rest : one;
  });

const skippedIn = (outcomes: readonly Outcome[]) => outcomes.find(({verdict}) => verdict === 'skipped')?.saw ?? '';

/** Counts the skipped checks by reason: several may depend on the same check. */
const skippedFor = (outcomes: readonly Outcome[]): readonly string[] => {
  const skipped = outcomes.filter(one => one.verdict === 'skipped' && !needsAttention(one));
  return [...Map.groupBy(skipped, ({saw}) => saw)].map(
    ([saw, {length}]) => `${length} skipped: ${saw.replace(/^skipped: /, '')}`,
  );
};

/** @throws SetupError with the code of the first failure; `warnings-only` if `strict` and there are only warnings */
export const endWithFirst = (outcomes: readonly Outcome[], strict = false): void => {
  const error = firstFailure(outcomes, strict);
  if (error) throw error;
};

/** Returns the exit code of the error that `endWithFirst` throws, for output that has shown it; 0 if it throws none. */
export const exitCodeOf = (outcomes: readonly Outcome[], strict = false): number => {
  const failure = firstFailure(outcomes, strict);
  return failure ? describeError(failure).exitCode : 0;
};

const firstFailure = (outcomes: readonly Outcome[], strict: boolean): SetupError | undefined => {
  const failed = outcomes.find(({verdict}) => verdict === 'fail');
  if (failed) {
    const {code = 'bug', title, sentence = '', remedy} = failed;
    return new SetupError(code, `${title}: ${sentence}`, remedy === undefined ? {} : {remedy});
  }
  const warned = outcomes.find(({verdict}) => verdict === 'warning');
  return strict && warned ? new SetupError('warnings-only', `${warned.title}: ${warned.sentence}`) : undefined;
};
