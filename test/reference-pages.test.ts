import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {tableOf, withPart} from '../scripts/generated-part.ts';
import {referencePages, withReference} from '../scripts/reference-pages.ts';
import {commands} from '../src/command-line/commands.ts';
import {type Flag, flags} from '../src/command-line/flags.ts';
import {documents, jsonEvents, otherLines} from '../src/command-line/output/json-lines.ts';
import {variables} from '../src/domain/environment.ts';
import {exitCodes} from '../src/errors/exit-codes.ts';
import {hosts} from '../src/ports/network/hosts.ts';
import {programs} from '../src/ports/processes/programs.ts';

const root = join(import.meta.dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** The code of the program without comments and without the sandbox, which is another program. */
const sources = readdirSync(join(root, 'src'), {recursive: true, encoding: 'utf8'})
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => /\.tsx?$/.test(path) && !path.startsWith('sandbox/'))
  .concat('../bin/setup.js')
  .map(path => [path, textOf(`src/${path}`).replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm, '')] as const);

/** Returns each match of an expression in the code once, except in the lists themselves. */
const found = (pattern: RegExp): readonly string[] => {
  const lists = ['domain/environment.ts', 'command-line/output/json-lines.ts', 'ports/processes/programs.ts'];
  const all = sources.filter(([path]) => !lists.includes(path)).flatMap(([, text]) => [...text.matchAll(pattern)]);
  return [...new Set(all.map(([, name = '']) => name))].toSorted();
};

test.each(referencePages)('%s says what the lists say: npm run docs reference-pages', path => {
  expect(withReference(path, textOf(path))).toBe(textOf(path));
});

test('a page without a place for a part is refused', () => {
  const begin = '<!-- written by npm run docs files: own -->';
  expect(withPart(`# Files\n${begin}\n<!-- end -->\n`, 'files: own', 'x')).toBe(
    `# Files\n${begin}\n\nx\n\n<!-- end -->\n`,
  );
  for (const page of ['# Files\n', `# Files\n${begin}\n`])
    expect(() => withPart(page, 'files: own', '')).toThrow('no place for the table');
});

test('a cell of a table does not end at a sign in it', () => {
  expect(tableOf(['a'], [['x|y'], [String.raw`x\|y`]])).toBe('| a |\n|---|\n| x\\|y |\n| x\\|y |');
});

describe('variables', () => {
  const ofFlags = Object.values(flags).flatMap(({env}: Flag) => (env === undefined ? [] : [env]));
  const listed = Object.values(variables).flatMap(group => Object.keys(group));

  test('are all that the code reads, by any of the ways in which it does', () => {
    const inBraces = [
      ...found(/\{([^{}]*)\}: (?:Env|Started\['env'\])/g),
      ...found(/const \{([^{}]*)\} = (?:\w+\.)?env\b/g),
    ].flatMap(names => names.split(',').map(name => /^\s*(\w+)/.exec(name)?.[1] ?? ''));
    const read = new Set([
      ...found(/\benv\??\.(\w+)/g),
      ...inBraces.filter(name => name !== ''),
      ...found(/directoryIn\(place, '(\w+)'\)/g),
      ...found(/'(npm_\w+|\w+_(?:proxy|PROXY))'/g),
    ]);
    const known = new Set<string>([...listed, ...ofFlags]);
    expect([...read].filter(name => !known.has(name))).toEqual([]);
  });

  test('are read: none stands there that the code does not name', () => {
    const code = sources.filter(([path]) => path !== 'domain/environment.ts').map(([, text]) => text.toLowerCase());
    expect(listed.filter(name => !code.some(text => text.includes(name.toLowerCase())))).toEqual([]);
  });

  test('stand in one table each', () => {
    expect(new Set([...listed, ...ofFlags]).size).toBe(listed.length + ofFlags.length);
  });
});

describe('lines of JSON', () => {
  test('are those that commands print', () => {
    const printed = found(/(?:writeJson\(\{\s*|(?<=doneEvent[\s\S]{0,200}))type: '([\w-]+)'/g);
    // The `ready` line comes from the sandbox, not from the command.
    const others = otherLines.map(({type}) => type).filter(type => type !== 'ready');
    expect(printed).toEqual([...new Set(others)].toSorted());
    expect(Object.keys(jsonEvents).filter(type => printed.includes(type))).toEqual([]);
  });

  test('without a type are those of commands that there are, and of all that print some', () => {
    const words = commands.map(command => command.words.join(' '));
    expect(Object.keys(documents).filter(name => !words.includes(name))).toEqual([]);
    const told = [...Object.keys(documents), ...otherLines.flatMap(({by}) => by.match(/(?<=`)[^`]+(?=`)/g) ?? [])];
    const printing = sources.flatMap(([path, text]) =>
      path.startsWith('commands/') && text.includes('writeJson(') ? [wordsOf(path)] : [],
    );
    expect(printing.filter(name => !told.some(one => one.startsWith(name)))).toEqual([]);
  });

  /** Returns the words of the command in this file. */
  const wordsOf = (path: string) =>
    path
      .replace(/^commands\/(?:program\/)?(.*)\.ts$/, '$1')
      .replace('organisation', 'org')
      .replace('mcp/paste', 'mcp/connect')
      .replaceAll(/[/-]/g, ' ');
});

test('exit codes are all that the launcher ends with', () => {
  const codes = [...textOf('bin/setup.js').matchAll(/exitCode = [^;]*?(\d+)(?: : (\d+))?;/g)];
  const ended = codes.flatMap(([, one, other]) => [one, other]).filter(code => code !== undefined);
  expect(ended.length).toBeGreaterThan(4);
  expect(ended.filter(code => !(Number(code) in exitCodes))).toEqual([]);
});

/** Programs that start entries: Node, and on the Windows side of WSL the command that enters it. */
const ofEntries: readonly string[] = ['node', 'wsl'];

test('programs are all that the code names by a path, or looks for by a name', () => {
  const named = [
    ...found(/'(?:\/usr)?\/bin\/(\w+)'/g),
    ...found(/'(\w+)\.exe'/g).filter(name => !ofEntries.includes(name)),
    ...found(/findProgram\('([\w-]+)'/g),
    ...found(/npmProgram\('(\w+)'\)/g),
  ];
  expect(named).toContain('cp');
  expect(named.filter(name => !(name in programs))).toEqual([]);
});

describe('hosts', () => {
  const callers = hosts.flatMap(({callers}) => callers);

  test('are called by modules that there are, each in one row', () => {
    expect(callers.filter(path => !existsSync(join(root, 'src', path)))).toEqual([]);
    expect(new Set(callers).size).toBe(callers.length);
  });

  test('are called by no other module', () => {
    const calls = /\bhttp\.(?:send|open|fetch)\(|\bstreams\.open\b|\bnetwork\.(?:resolve|connect|certificate)\(/;
    const calling = sources.flatMap(([path, text]) =>
      calls.test(text) && !path.startsWith('ports/') && path !== 'compose.ts' ? [path] : [],
    );
    expect(calling.filter(path => !callers.includes(path))).toEqual([]);
    expect(calling.length).toBeGreaterThan(20);
  });
});
