import {describe, expect, test} from 'vitest';
import {commands} from '../../../src/command-line/commands.ts';
import {helpOn} from '../../../src/command-line/help.ts';
import {fitHelp, fitSentences, withoutStops} from '../../../src/command-line/output/fit-text.ts';
import {createOutput} from '../../../src/command-line/output/output.ts';

const help = [
  'Connects you, your CLI and your assistants.',
  '',
  'Flags',
  '  --layout auto|single  Layout of the deployment, which auto detects',
  '  --sign-in browser|service-account',
  '                        How to sign in',
  '',
  'Examples',
  '  npx setup login --context acme --client-id some-long-name',
].join('\n');

test('on a pipe it stays as it is, and where there is room too', () => {
  expect(fitHelp(help, undefined)).toBe(help);
  expect(fitHelp(help, 100)).toBe(help);
});

test('what does not fit beside a name goes on below itself', () => {
  expect(fitHelp(help, 52).split('\n').slice(3, 7)).toEqual([
    '  --layout auto|single  Layout of the deployment,',
    '                        which auto detects',
    '  --sign-in browser|service-account',
    '                        How to sign in',
  ]);
});

test('where there is no room beside a name it stands below, and a command stays whole', () => {
  expect(fitHelp(help, 36).split('\n')).toEqual([
    'Connects you, your CLI and your',
    'assistants.',
    '',
    'Flags',
    '  --layout auto|single',
    '      Layout of the deployment,',
    '      which auto detects',
    '  --sign-in browser|service-account',
    '      How to sign in',
    '',
    'Examples',
    '  npx setup login --context acme --client-id some-long-name',
  ]);
});

describe.each([100, 60, 40])('at %i columns', width => {
  test('no sentence of any help is wider, and no word is lost', async () => {
    for (const words of [[], ['mcp'], ...commands.map(({words}) => words)]) {
      const whole = await helpOn(words, commands);
      const fitted = fitHelp(whole, width);
      expect(fitted.split(/\s+/)).toEqual(whole.split(/\s+/));
      const long = fitted.split('\n').filter(line => line.length > width && !/^ {2}\S|^ +(npx|echo) /.test(line));
      expect(long).toEqual([]);
    }
  });
});

describe('sentences', () => {
  const text =
    'Signed in as ann, 1 h left.\n  Control plane      http://api.acme.example:8080\nTo undo it, run npx setup undo --run 2. Or not.\n';

  test('stay as they are on a pipe, and where there is room', () => {
    expect(fitSentences(text, undefined)).toBe(text);
    expect(fitSentences(text, 80)).toBe(text);
  });

  test('are broken between words, continued below their first one, and never in a command', () => {
    expect(fitSentences(text, 30).split('\n')).toEqual([
      'Signed in as ann, 1 h left.',
      '  Control plane',
      '  http://api.acme.example:8080',
      'To undo it, run',
      'npx setup undo --run 2. Or',
      'not.',
      '',
    ]);
  });

  test('but not the input of a command that is to be copied', () => {
    const binding = ["  kubectl apply -f - <<'EOF'", '  kind: A long name of a role', '  EOF'];
    const after = ['It takes effect within a', 'second.'];
    expect(fitSentences([...binding, after.join(' ')].join('\n'), 26).split('\n')).toEqual([...binding, ...after]);
  });

  test.each([
    [
      'Set it up: npx setup --auth-url http://idp.acme.example:8080.',
      'Set it up: npx setup --auth-url http://idp.acme.example:8080',
    ],
    ['Fix: npx setup doctor --fix.\nAnd more.', 'Fix: npx setup doctor --fix\nAnd more.'],
    ['Run npx setup login --context acme. Or not.', 'Run npx setup login --context acme. Or not.'],
    ['Run npx setup login.', 'Run npx setup login.'],
    ['Pass --base-domain acme.example.', 'Pass --base-domain acme.example.'],
  ])('%j ends a line without a full stop that would be copied', (said, told) => {
    expect(withoutStops(said)).toBe(told);
  });

  test('in a terminal alone', () => {
    const said: string[] = [];
    const stream = {write: (chunk: string) => said.push(chunk)};
    createOutput(stream, false, () => 12).tell('one two three\n');
    createOutput(stream).tell('one two three\n');
    expect(said).toEqual(['one two\nthree\n', 'one two three\n']);
  });
});
