import {readdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {checkSync, type Parameters} from 'recheck';
import {describe, expect, test} from 'vitest';
import {parseAst} from 'vitest/node';
import {isWholeTable} from './support/tables.ts';

const source = resolve(import.meta.dirname, '../src');

type Expression = {
  readonly file: string;
  readonly pattern: string;
  readonly flags: string;
  /** The member that contains the expression as its value, if any. */
  readonly member: string | undefined;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Returns every regular expression in a syntax tree (ESTree). */
const expressionsIn = (node: unknown, file: string, member?: string): readonly Expression[] => {
  if (Array.isArray(node)) return node.flatMap(one => expressionsIn(one, file, member));
  if (!isObject(node)) return [];
  if (isObject(node.regex)) {
    const {pattern, flags} = node.regex;
    return [{file, pattern: String(pattern), flags: String(flags), member}];
  }
  const key = node.type === 'Property' && isObject(node.key) ? node.key.name : undefined;
  const within = typeof key === 'string' ? key : member;
  return Object.values(node).flatMap(value => expressionsIn(value, file, within));
};

const files = readdirSync(source, {recursive: true, encoding: 'utf8'})
  .filter(file => /(?<!\.d)\.tsx?$/.test(file))
  .map(file => file.replaceAll('\\', '/'));

const textOf = (file: string) => readFileSync(join(source, file), 'utf8');

const all = files.flatMap(file =>
  expressionsIn(parseAst(textOf(file), {lang: file.endsWith('x') ? 'tsx' : 'ts'}), file),
);

/**
 * Expressions that take more than linear time, each with the reason why no foreign text can be long there. Rewrite an
 * expression rather than add it.
 */
const bounded: Readonly<Record<string, string>> = {
  'command-line/output/fit-text.ts /^( {10,}| +\\S.*? {2,})(\\S.*)$/': 'a line of this program’s own help',
  'assistants/versions.ts /\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?/': 'what an installed assistant prints for its version',
  'assistants/formats/command-line.ts /(\\\\*)"/g': 'an argument of a command of this program’s own',
  'assistants/formats/command-line.ts /(\\\\+)$/': 'an argument of a command of this program’s own',
  'assistants/editors/yaml-tree.ts /\\s*$/': 'the end of a file of an assistant, which has a limit',
  'ports/processes/find-program.ts /[\\\\/]npm[\\\\/][^\\\\/]+[\\\\/](?:@[^\\\\/]+[\\\\/])?[^\\\\/]+[\\\\/]\\d+\\.\\d+\\.\\d+[^\\\\/]*[\\\\/]bin[\\\\/]/':
    'a path of this machine',
  'ports/processes/shell.ts /(\\\\*)"/g': 'a command of this program’s own',
  'ports/processes/shell.ts /(\\\\+)$/': 'a command of this program’s own',
  'ports/processes/shell.ts /^((?:[A-Z_]+=\\S+ )*)(.*)$/': 'a command of this program’s own',
  'ports/processes/shell.ts /([A-Z_]+)=(\\S+)/g': 'a command of this program’s own',
  'ports/processes/shell.ts /"\\$\\((.+?)\\)"/': 'a command of this program’s own',
};

/** `causeOf` cuts the text of a refusal before any of these expressions sees it. */
const isCut = ({file, member}: Expression) => file.startsWith('identity-providers/catalogue/') && member === 'says';

/** Without a network and without another program. A large expression is tested with texts rather than proven. */
process.env.RECHECK_SYNC_BACKEND = 'pure';
const how: Parameters = {
  ...{checker: 'auto', maxNFASize: 1_000, recallTimeout: -1, randomSeed: 1},
  // No time limits, so that a busy machine does not change the result.
  ...{timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null},
};

/** Returns the pattern in lower case only, which is the same question with a tenth of the work. */
const inSmallLetters = (pattern: string) =>
  pattern.replaceAll(/\\[pP]\{[^}]*\}|\\.|[A-Z]/g, part => (part.length > 1 ? part : part.toLowerCase()));

/** Only a pattern with an unlimited repetition can take long. */
const isOpen = (pattern: string) => /[*+]|\{\d+,\}/.test(pattern);

const isSuperLinear = ({pattern, flags}: Pick<Expression, 'pattern' | 'flags'>): boolean => {
  if (!isOpen(pattern)) return false;
  const [asked, rest] = flags.includes('i') ? [inSmallLetters(pattern), flags.replace('i', '')] : [pattern, flags];
  return checkSync(asked, rest.replaceAll(/[gy]/g, ''), how).status !== 'safe';
};

const nameOf = ({file, pattern, flags}: Expression) => `${file} /${pattern}/${flags}`;

/**
 * The expressions that were proven to take no more than linear time, one in each line. Proving all of them takes half a
 * minute, so `npm test` proves those that are new or have changed.
 */
const provenList = join(import.meta.dirname, 'regular-expressions.proven.txt');

describe('no expression takes longer than in proportion to its text', () => {
  const own = all.filter(one => !one.file.startsWith('sandbox/') && !isCut(one) && isOpen(one.pattern));
  const proven = new Set(readFileSync(provenList, 'utf8').split('\n'));

  test('except for known ones, whose text is short', () => {
    const asked = own.filter(one => isWholeTable || !proven.has(nameOf(one)));
    const found = new Set(asked.filter(isSuperLinear).map(nameOf));
    expect([...found].toSorted()).toEqual(Object.keys(bounded).toSorted());
  }, 240_000);

  test.runIf(isWholeTable)('and the list of proven ones is up to date', async () => {
    const names = new Set(own.map(nameOf).filter(name => !Object.hasOwn(bounded, name)));
    await expect(`${[...names].toSorted().join('\n')}\n`).toMatchFileSnapshot(provenList);
  });
});

test.each(['<title[^>]*>([^<]*)', '\\/+$', 'app.*not found', '(a+)+$', '\\s*=\\s*x', '^\\s*([^=]*?)\\s*(?:=x)?$'])(
  'one that does is found: %s',
  pattern => {
    expect(isSuperLinear({pattern, flags: 'i'})).toBe(true);
  },
);

test('every expression was read, and those that are put together at run time are known', () => {
  expect(all.length).toBeGreaterThan(300);
  const builders = files.filter(file => /\bRegExp\(/.test(textOf(file)));
  expect(builders.toSorted()).toEqual(
    [
      // Built from the command that starts this program, with every character escaped. It reads our own sentences.
      'command-line/output/fit-text.ts',
      // Built from one character.
      'command-line/output/output.ts',
      // Built from a path of this machine.
      'ports/processes/find-program.ts',
      // Built from one word.
      'ports/network/proxy-refusals.ts',
      'sandbox/http-server.ts',
    ].toSorted(),
  );
});
