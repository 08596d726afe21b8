import type {Outcome} from '../../domain/finding.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Env} from '../../ports/ports.ts';
import {isUnicode} from './terminal-abilities.ts';

const unicode = {pass: '✔', warning: '▲', fail: '✖', skipped: '┊'} as const;
const plain = {pass: '+', warning: '!', fail: 'x', skipped: '-'} as const;

export const isTrouble = (verdict: Outcome['verdict']) => verdict === 'fail' || verdict === 'warning';

/**
 * What a check found, as lines for people.
 *
 * @param isWhole whether what to do about a skipped one is said as well
 */
export const describeOutcome = (
  {verdict, title, saw, sentence, remedy}: Outcome,
  env: Env,
  {isWhole = false} = {},
): string =>
  [
    `${(isUnicode(env) ? unicode : plain)[verdict]} ${title}: ${verdict === 'fail' ? sentence : saw}`,
    ...(verdict === 'warning' && sentence ? [`    ${sentence}`] : []),
    ...(remedy && (isWhole || isTrouble(verdict)) ? [`    ${remedy}`] : []),
  ].join('\n');

/** @throws SetupError with the code of the first failure; `warnings-only` where those count */
export const endWithFirst = (outcomes: readonly Outcome[], strict = false): void => {
  const failed = outcomes.find(({verdict}) => verdict === 'fail');
  if (failed) {
    const {code = 'bug', title, sentence = '', remedy} = failed;
    throw new SetupError(code, `${title}: ${sentence}`, remedy === undefined ? {} : {remedy});
  }
  const warned = outcomes.find(({verdict}) => verdict === 'warning');
  if (strict && warned) throw new SetupError('warnings-only', `${warned.title}: ${warned.sentence}`);
};
