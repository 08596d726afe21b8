import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {describeError, remedyInWords, remedyText} from '../../src/errors/describe-error.ts';
import {type Remedy, SetupError} from '../../src/errors/errors.ts';
import {phrase, requestFlags, setup, signIn, withFlags} from '../../src/errors/remedy.ts';
import {SETUP} from '../../src/setup-command.ts';

const root = join(import.meta.dirname, '../..');
const asked = {isAsked: true} as const;
const typed = (remedy: Remedy) => remedyInWords(remedy);
const inWizard = (remedy: Remedy) => remedyInWords(remedy, asked);

test('a remedy has a sentence for somebody who is asked, and a flag for everybody else', () => {
  const remedy = {do: 'Use another one.', flag: phrase`Run ${signIn('--device')}.`};
  expect(typed(remedy)).toBe(`Use another one. Run ${SETUP} login --device.`);
  expect(inWizard(remedy)).toBe('Use another one.');
});

test('a command stands behind what it does, unless the reader is asked', () => {
  const remedy = {do: 'Sign in again', command: signIn()};
  expect(typed(remedy)).toBe(`Sign in again: ${SETUP} login.`);
  expect(inWizard(remedy)).toBe('Sign in again.');
});

test('what the wizard says may be another sentence', () => {
  const remedy = {asked: 'Sign in again.', typed: phrase`Run ${setup()} to sign in.`};
  expect(typed(remedy)).toBe(`Run ${SETUP} to sign in.`);
  expect(inWizard(remedy)).toBe('Sign in again.');
});

test('the sign-in is that of the deployment concerned, with the flags that are asked for', () => {
  const login = setup('login', '--context acme');
  const sentence = phrase`Run ${signIn('--device')}. Or see ${setup('doctor')}.`;
  expect(remedyInWords(sentence, {signIn: login})).toBe(
    `Run ${SETUP} login --context acme --device. Or see ${SETUP} doctor.`,
  );
  expect(typed({do: 'Sign in', command: withFlags(login, '')})).toBe(`Sign in: ${SETUP} login --context acme.`);
});

test('each reader has commands in their own form', () => {
  const command = ({words, rest = ''}: ReturnType<typeof setup>) => `[${words}|${rest}]`;
  const remedy = [
    'First.',
    {do: 'Connect it', command: setup('mcp connect', 'cursor --replace')},
    {of: 'auth-sign-in-pending'},
  ] as const;
  expect(remedyInWords(remedy, {command})).toBe(
    'First. Connect it: [mcp connect|cursor --replace]. Type the code at the printed address, then run [login|--resume].',
  );
});

test('several follow each other, and what is empty leaves no gap', () => {
  expect(typed(['One.', '', phrase`Two ${2}.`, {do: '', flag: 'Pass --three.'}])).toBe('One. Two 2. Pass --three.');
  expect(inWizard(['One.', {do: '', flag: 'Pass --three.'}])).toBe('One.');
});

test('what is to be copied stands below the sentences, as it is', () => {
  const error = new SetupError('auth-no-role', 'No role.', {
    remedy: ['Ask for it.', {block: 'kubectl apply <<END\nEND'}],
  });
  expect(describeError(error)).toMatchObject({remedy: 'Ask for it.', block: 'kubectl apply <<END\nEND'});
  expect(remedyText(error)).toBe('Ask for it.\n\nkubectl apply <<END\nEND');
  expect(remedyText(error.advising('Then wait.'))).toBe('Ask for it. Then wait.\n\nkubectl apply <<END\nEND');
});

test('an error without a remedy has that of its code, also when something is added to it', () => {
  const error = new SetupError('bug', 'It failed.');
  expect(error).not.toHaveProperty('remedy');
  const usual = remedyText(error);
  expect(usual).toMatch(/^Please report it/);
  expect(remedyText(error.advising({do: '', flag: 'Pass --debug.'}))).toBe(`${usual} Pass --debug.`);
  expect(remedyText(error.saying(' Twice.', 'Wait.'))).toBe('Wait.');
});

test('what the next sign-in has to ask for is a line of flags', () => {
  expect(requestFlags({})).toBe('');
  expect(requestFlags({scopes: ['openid', 'tools:call'], acrValues: 'urn:high', maxAge: 300})).toBe(
    '--scopes "openid tools:call" --acr-values "urn:high" --max-age 300',
  );
});

test('no remedy has a command of this program in its text, where nobody could show it in another form', () => {
  const inText = /\bremedy(?::|\s=)(?:(?!\n\s*\n)[^;]){0,300}?\$\{SETUP\}/;
  expect(inText.test(['remedy: `Run $', '{SETUP} doctor.`'].join(''))).toBe(true);
  const sources = globSync('src/**/*.{ts,tsx}', {cwd: root});
  expect(sources.length).toBeGreaterThan(300);
  // What `setup explain` says of a warning is printed in a terminal alone.
  const others = sources.filter(path => !path.endsWith('check-explanations.ts'));
  expect(others.filter(path => inText.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
