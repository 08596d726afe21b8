import {describe, expect, test} from 'vitest';
import {nearest, parseFlags} from '../../src/command-line/parse-flags.ts';
import {SetupError} from '../../src/errors/errors.ts';

const doctor = {words: ['doctor'], flags: ['report', 'fix', 'verbose', 'json']} as const;

const parse = (...argv: readonly string[]) => parseFlags(argv, {}, [doctor]);

const refused = async (...argv: readonly string[]): Promise<SetupError> => {
  const error = await parse(...argv).then(
    () => undefined,
    caught => caught,
  );
  expect(error).toBeInstanceOf(SetupError);
  return error;
};

describe('what was typed', () => {
  test('becomes flags and words', async () => {
    expect(await parse('mcp', 'tools', '--context', 'acme', '--json')).toEqual({
      values: {context: 'acme', json: true},
      positionals: ['mcp', 'tools'],
      afterDashes: [],
      typed: new Set(['context', 'json']),
    });
  });

  test('may be short', async () => {
    expect((await parse('-h')).values).toEqual({help: true});
  });

  test('is a word after two dashes, whatever it looks like', async () => {
    const {values, positionals, afterDashes} = await parse('mcp', '--json', '--', '--context', '-h', '--');
    expect({values, positionals, afterDashes}).toEqual({
      values: {json: true},
      positionals: ['mcp'],
      afterDashes: ['--context', '-h', '--'],
    });
  });

  test('comes before the environment, which counts as not typed', async () => {
    const env = {SETUP_SCOPES: 'openid', SETUP_PROJECT: '', SETUP_NOTHING: 'x'};
    const {values, typed} = await parseFlags(['--scopes', 'a b'], env);
    expect([values, typed]).toEqual([{scopes: 'a b'}, new Set(['scopes'])]);
    const unsaid = await parseFlags([], env);
    expect([unsaid.values, unsaid.typed]).toEqual([{scopes: 'openid'}, new Set()]);
  });
});

describe('a value that begins with a dash', () => {
  test.each([
    [['--client-secret', '-secret'], {'client-secret': '-secret'}],
    [['--client-secret', '--secret'], {'client-secret': '--secret'}],
    [['--client-secret=-secret'], {'client-secret': '-secret'}],
    [['--client-secret', '-'], {'client-secret': '-'}],
    [['--client-id', 'a', '--client-secret', '-b'], {'client-id': 'a', 'client-secret': '-b'}],
    [['--json', '--client-secret', 'a-b'], {json: true, 'client-secret': 'a-b'}],
  ])('%j is one', async (argv, values) => {
    expect((await parse(...argv)).values).toEqual(values);
  });

  test.each([
    [['--client-secret', '--json'], '--client-secret needs a value.'],
    [['--client-secret', '--scopes=a'], '--client-secret needs a value.'],
    [['--client-secret', '-h'], '--client-secret needs a value.'],
    [['--client-secret'], '--client-secret needs a value.'],
  ])('%j is none, because that is a flag', async (argv, message) => {
    expect(await refused(...argv)).toMatchObject({code: 'input-usage', message, about: {flag: 'client-secret'}});
  });

  test('follows no flag that takes none', async () => {
    expect(await refused('--json', '-x')).toMatchObject({message: 'There is no flag -x.'});
  });
});

describe('what is wrong is said', () => {
  test('of an empty value', async () => {
    for (const argv of [['--context='], ['--context', '']]) {
      expect(await refused(...argv)).toMatchObject({
        code: 'input-invalid',
        message: '--context is empty.',
        remedy: 'Give it a value, or leave it out.',
        about: {flag: 'context'},
      });
    }
  });

  test('of a flag that takes no value', async () => {
    expect(await refused('--json=yes')).toMatchObject({
      code: 'input-usage',
      message: '--json takes no value.',
      about: {flag: 'json'},
    });
  });

  test('of a flag that does not exist, with the one that was meant by this command', async () => {
    expect(await refused('doctor', '--fixx')).toMatchObject({
      code: 'input-usage',
      message: 'There is no flag --fixx.',
      remedy: 'Did you mean --fix?',
      about: {flag: 'fixx'},
    });
    // Another command has the flag that is more alike.
    expect((await refused('doctor', '--repor=x')).message).toBe('There is no flag --repor.');
    expect(await refused('--cont', 'acme')).toMatchObject({remedy: 'Did you mean --context?'});
  });

  test('of a flag that is like none', async () => {
    const {remedy, about} = await refused('doctor', '---quite-something-else');
    expect(JSON.stringify(remedy)).toContain('--help');
    expect(about.flag).toBe('quite-something-else');
  });

  test('of a flag inside of another word only if it is one', async () => {
    expect(await refused('--x-json')).toMatchObject({message: 'There is no flag --x-json.', about: {flag: 'x-json'}});
  });
});

describe('the nearest word', () => {
  test.each([
    ['rep', ['report', 'fix'], 'report'],
    ['re', ['report', 'renew'], undefined],
    ['rep', ['replace', 'report', 'port'], 'report'],
    ['reprot', ['report', 'fix'], 'report'],
    ['zzzzzz', ['report', 'fix'], undefined],
  ])('to %s of %j is %s', async (given, known, expected) => {
    expect(await nearest(given, known)).toBe(expected);
  });
});
