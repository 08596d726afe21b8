import {expect, test} from 'vitest';
import {commands} from '../../src/command-line/commands.ts';
import {checkFlags, findCommand} from '../../src/command-line/find-command.ts';
import {type FlagName, flags} from '../../src/command-line/flags.ts';
import {commandIn} from '../../src/command-line/own-remedies.ts';
import {parseFlags} from '../../src/command-line/parse-flags.ts';
import {errorCodes, familyOf, SetupError} from '../../src/errors/errors.ts';

/** The commands of this program that a remedy names, each with its flags. */
const commandsIn = (remedy: string): readonly (readonly string[])[] =>
  remedy
    .split('npx setup')
    .slice(1)
    .map(rest => {
      const tokens = rest.match(/"[^"]*"|[^\s"]+/g) ?? [];
      const end = tokens.findIndex(token => !/^[a-z-]+[.,:;)]?$/.test(token));
      const words = (end < 0 ? tokens : tokens.slice(0, end)).map(token => token.replace(/[.,:;)]$/, ''));
      const line = [...commandIn(words.filter(word => !word.startsWith('-')))];
      for (let at = line.length; /^--[a-z-]+/.test(tokens[at] ?? ''); at += 1) {
        const name = (tokens[at] ?? '').replace(/[.,:;)]$/, '');
        line.push(name);
        const flag = flags[name.slice(2) as FlagName];
        if (flag?.type !== 'string') continue;
        at += 1;
        line.push((tokens[at] ?? '').replace(/[.,:;)]$/, ''));
      }
      return line;
    });

/** What only tells what is on this machine already: who cannot sign in, or reaches nobody, does not get on by it. */
const tellsOnly: readonly string[] = ['status', 'context list', 'mcp list', 'undo'];

test.each(errorCodes)(
  'every command in the remedy of %s is one, takes those flags, and leads somewhere',
  async code => {
    const failure = new SetupError(code, 'It failed.');
    for (const remedy of [failure.remedy, failure.remedyBy('npx setup login --context acme')]) {
      for (const line of commandsIn(remedy)) {
        const {positionals, typed} = await parseFlags(line, {});
        const {command} = await findCommand(positionals, commands);
        if (!typed.has('help')) checkFlags(command, typed);
        if (familyOf(code) === 'auth' || familyOf(code) === 'network')
          expect(tellsOnly).not.toContain(command.words.join(' '));
      }
    }
    // Whether there are codes depends on the identity provider: who knows that it has some says so.
    if (code !== 'auth-sign-in-pending') expect(failure.remedy).not.toContain('--device');
  },
);

test('the commands of a remedy are found', () => {
  expect(commandsIn('Run npx setup login --scopes "a b". To paste it, run npx setup login in a terminal.')).toEqual([
    ['login', '--scopes', '"a b"'],
    ['login'],
  ]);
});
