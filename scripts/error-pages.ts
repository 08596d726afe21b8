/** Writes docs/error-codes.md: the text of `setup explain` for each code, from the same tables. */
import {writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {remedyText, whoseTurn} from '../src/errors/describe-error.ts';
import {errorCodes, rowOf} from '../src/errors/error-table.ts';
import {type ErrorCode, familyOf, SetupError} from '../src/errors/errors.ts';
import {verdictOnCode} from '../src/errors/verdict.ts';
import {checkExplanations, codeOfCheck} from '../src/flows/diagnosis/check-explanations.ts';

const headings: Readonly<Record<string, string>> = {
  input: 'The command line',
  network: 'The network',
  auth: 'Signing in',
  platform: 'The platform',
  local: 'This machine',
};

const section = (code: ErrorCode): string => {
  const {means, why, exit} = rowOf(code);
  const verdict = `${verdictOnCode(code)}.`;
  const remedy = remedyText(new SetupError(code, ''));
  return `### ${code}\n\n${meaning(verdict, means)}\n\n- Why it happens: ${why}\n- How to fix it: ${remedy}\n- ${whoseTurn(code)} Exit code ${exit}.`;
};

/** Returns the verdict and the meaning; only the meaning if its first sentence says the same as the verdict. */
const meaning = (verdict: string, means: string): string => {
  const [first = '', rest = ''] = means.split(/(?<=\.) (.*)/s);
  const [own, others] = [wordsIn(first), wordsIn(verdict)];
  const shared = others.filter(word => own.includes(word)).length;
  return shared < others.length * SAME ? `**${verdict}** ${means}` : `**${first}**${rest === '' ? '' : ` ${rest}`}`;
};

/** Sentences that share this part of their words say the same. */
const SAME = 0.75;

const wordsIn = (sentence: string): readonly string[] =>
  sentence
    .toLowerCase()
    .replaceAll('’s', '')
    .split(/[^a-z0-9]+/)
    .filter(word => !['', 'a', 'an', 'the', 'of', 'from', 'your', 'was', 'is'].includes(word));

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const warning = ([stem, {name, means, remedy}]: readonly [string, (typeof checkExplanations)[string]]) =>
  `### ${codeOfCheck(stem)}\n\n**${capital(name)}.** ${means}\n\n- How to fix it: ${remedy}`;

/** Returns the pages as Markdown. */
export const errorPages = (): string => {
  const families = Map.groupBy(errorCodes, code => headings[familyOf(code)] ?? 'Others');
  return `${[
    '# Error codes',
    'The message of a command that fails ends with a code such as `network-timeout`. There is no code with the flag `--quiet`, for `setup token` and `setup mcp serve` (programs run these, not people), or on a Node that is too old (`local-node-old`). `npx setup explain network-timeout` says the same as this page. On a screen of the wizard that reports a failure, choose *Diagnostics*: it names the code. The heading of most of these screens is the sentence that this page prints in bold type, with the name of the server in place of “the server”. This page is written by `npm run docs error-pages`.',
    ...[...families].flatMap(([heading, codes]) => [`## ${heading}`, ...codes.map(section)]),
    '## Warnings of the diagnostics',
    ...Object.entries(checkExplanations).map(warning),
  ].join('\n\n')}\n`;
};

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  writeFileSync(resolve(import.meta.dirname, '../docs/error-codes.md'), errorPages());
}
