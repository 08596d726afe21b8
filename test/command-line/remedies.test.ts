import {describe, expect, test} from 'vitest';
import {commands} from '../../src/command-line/commands.ts';
import {tolerated} from '../../src/command-line/flags.ts';
import {explainFor, ownLine} from '../../src/command-line/remedies.ts';
import {type Remedy, SetupError} from '../../src/errors/errors.ts';
import {phrase, setup} from '../../src/errors/remedy.ts';
import {SETUP} from '../../src/setup-command.ts';

const program = '/opt/setup/bin/setup.js';
const started = {
  commands,
  env: {HOME: '/home/ann', SETUP_HOME: '/home/ann/of acme'},
  program,
  flags: {'allow-http': 'acme.lan'},
};
const own = `${process.execPath} ${program}`;
const kept = "--context acme --allow-http acme.lan --setup-home '/home/ann/of acme'";
const acme = {name: 'acme', signIn: 'browser'} as const;

describe('a command line', () => {
  test('has absolute paths, the context, and what this run was started with', () => {
    expect(ownLine(started, acme, setup('login'))).toBe(`${own} login ${kept}`);
    expect(ownLine(started, {}, setup())).toBe(`${own} --allow-http acme.lan --setup-home '/home/ann/of acme'`);
  });

  test('names no deployment for a command that is about all of them', () => {
    expect(ownLine(started, acme, setup('undo'))).toBe(`${own} undo --setup-home '/home/ann/of acme'`);
  });

  test('has no flags where everything is as usual', () => {
    expect(ownLine({commands, env: {HOME: '/home/ann'}, program, flags: {}}, {}, setup('doctor'))).toBe(
      `${own} doctor`,
    );
  });

  test('names what runs now where that was fetched for one run, as long as there is no copy of it', () => {
    const program = '/home/ann/.npm/_npx/1a2b/node_modules/platform-setup/bin/setup.js';
    const line = ownLine({commands, env: {HOME: '/home/ann'}, program, flags: {}}, {}, setup('login'));
    expect(line).toBe(`${process.execPath} ${program} login`);
  });

  test.each(commands.map(({words, flags}) => [words.join(' '), flags] as const))(
    'has only flags that %s takes',
    (words, flags) => {
      const line = ownLine(started, acme, setup(words));
      expect(line.includes('--allow-http')).toBe(flags.includes('allow-http'));
      expect(line.includes('--context acme')).toBe(flags.includes('context') || !flags.includes('yes'));
      expect([...tolerated, ...flags]).toEqual(expect.arrayContaining(['context', 'setup-home']));
    },
  );
});

describe('a remedy', () => {
  const remedyOf = (failure: SetupError, subject: Parameters<typeof explainFor>[1] = acme) =>
    explainFor(started, subject, failure).remedy;

  const told = (remedy: Remedy) => new SetupError('input-usage', 'No.', {remedy});

  test('is marked if it is about the sign-in of a client', () => {
    const failure = new SetupError('auth-sign-in-required', 'You are signed out of acme.');
    const marks = (['browser', 'mcp-client', 'service-account'] as const).map(
      signIn => explainFor(started, {...acme, signIn}, failure).about.isByClient,
    );
    expect(marks).toEqual([undefined, true, true]);
  });

  test('is for the person at the terminal, as they start the program, if a check has started the bridge', () => {
    const failure = new SetupError('auth-sign-in-required', 'You are signed out of acme.');
    expect(explainFor(started, acme, failure, true).remedy).toBe(`Run ${SETUP} login ${kept} to sign in.`);
  });

  test('names the sign-in to the context that is meant', () => {
    const failure = new SetupError('auth-sign-in-required', 'You are signed out of acme.');
    expect(remedyOf(failure)).toBe(`Run \`${own} login ${kept}\` to sign in.`);
    expect(remedyOf(failure, {})).toBe(
      `Run \`${own} --allow-http acme.lan --setup-home '/home/ann/of acme'\` to sign in.`,
    );
    expect(remedyOf(new SetupError('auth-grant-refused', 'No.'))).toBe(`Sign in again: \`${own} login ${kept}\`.`);
    expect(remedyOf(new SetupError('local-callback-failed', 'No.'))).toBe(
      `Allow this program to listen on this machine, or paste the address that the browser ended up at. To paste it, run \`${own} login ${kept}\` in a terminal.`,
    );
  });

  test.each<[string, Remedy, string]>([
    ['the wizard', phrase`Run ${setup()}.`, `Run \`${own} ${kept}\`.`],
    [
      'flags',
      phrase`Run ${setup('login', '--scopes "openid tools:call" --max-age 300')}. Then try again.`,
      `Run \`${own} login --scopes "openid tools:call" --max-age 300 ${kept}\`. Then try again.`,
    ],
    [
      'another context',
      phrase`Sign in again: ${setup('login', '--context other.example.com')}.`,
      `Sign in again: \`${own} login --context other.example.com ${kept.replace('--context acme ', '')}\`.`,
    ],
    [
      'no calls',
      phrase`Check it (${setup('mcp list')}), then go on.`,
      `Check it (\`${own} mcp list --context acme --setup-home '/home/ann/of acme'\`), then go on.`,
    ],
    [
      'arguments',
      {do: 'Connect it again', command: setup('mcp connect', 'cursor --replace')},
      `Connect it again: \`${own} mcp connect cursor --replace ${kept}\`.`,
    ],
    ['none', 'Check your VPN.', 'Check your VPN.'],
  ])('with a command with %s has it as it works where it is read', (_what, remedy, expected) => {
    const failure = explainFor(started, acme, told(remedy));
    expect(failure.remedy).toBe(expected);
    // A remedy whose commands are complete already stays as it is.
    expect(explainFor(started, acme, failure).remedy).toBe(expected);
  });

  test('for a context that is not there is the command that sets it up', () => {
    const about = {flag: 'context'};
    const failure = new SetupError('input-invalid', 'There is no context called other. Known: none.', {about});
    expect(remedyOf(failure, {name: 'other'})).toBe(`Set it up: \`${own} ${kept.replace('acme ', 'other ')}\`.`);
  });

  test('for a client whose secret is refused is the command that renews it', () => {
    const failure = new SetupError('auth-client-refused', 'No.');
    for (const signIn of ['service-account', 'mcp-client'] as const) {
      expect(remedyOf(failure, {name: 'acme', signIn})).toBe(`Renew its client’s secret: \`${own} login ${kept}\`.`);
    }
  });

  test('for a client that nobody has signed in is to sign in, and not to renew a secret that may be good', () => {
    const signedOut = new SetupError('auth-sign-in-required', 'You are signed out of acme.');
    expect(remedyOf(signedOut, {name: 'acme', signIn: 'service-account'})).toBe(
      `Sign in again: \`${own} login ${kept}\`.`,
    );
    const refused = new SetupError('auth-sign-in-required', 'No.', {about: {reason: 'It was refused.'}});
    expect(remedyOf(refused, {name: 'acme', signIn: 'service-account'})).toContain('Renew its client’s secret');
  });

  test('leaves what happened as it is', () => {
    const failure = new SetupError('network-refused', 'Nothing listens.', {about: {url: 'https://acme.example/'}});
    expect(explainFor(started, acme, failure)).toMatchObject({
      code: 'network-refused',
      message: 'Nothing listens.',
      about: failure.about,
    });
  });
});
