import {expect, test} from 'vitest';
import {commands} from '../../src/command-line/commands.ts';
import {checkFlags, findCommand} from '../../src/command-line/find-command.ts';
import {parseFlags} from '../../src/command-line/parse-flags.ts';
import {remedyText} from '../../src/errors/describe-error.ts';
import {errorCodes} from '../../src/errors/error-table.ts';
import {familyOf, SetupError} from '../../src/errors/errors.ts';
import {setup} from '../../src/errors/remedy.ts';
import {commandsIn} from '../support/commands-in-remedies.ts';

/**
 * Commands that only report what is on this machine. They do not help a person who cannot sign in or reaches no
 * server.
 */
const tellsOnly: readonly string[] = ['status', 'context list', 'mcp list', 'undo'];

test.each(errorCodes)(
  'every command in the remedy of %s is one, takes those flags, and leads somewhere',
  async code => {
    const failure = new SetupError(code, 'It failed.');
    for (const signIn of [undefined, setup('login', '--context acme')]) {
      const remedy = remedyText(failure, {signIn});
      for (const line of commandsIn(remedy)) {
        const {positionals, typed} = await parseFlags(line, {});
        const {command} = await findCommand(positionals, commands);
        if (!typed.has('help')) checkFlags(command, typed);
        if (familyOf(code) === 'auth' || familyOf(code) === 'network')
          expect(tellsOnly).not.toContain(command.words.join(' '));
      }
    }
    // Whether codes work depends on the identity provider, so only an error that knows it names the flag.
    if (code !== 'auth-sign-in-pending') expect(remedyText(failure)).not.toContain('--device');
  },
);

test('the commands of a remedy are found', () => {
  expect(commandsIn('Run npx setup login --scopes "a b". To paste it, run npx setup login in a terminal.')).toEqual([
    ['login', '--scopes', 'a b'],
    ['login'],
  ]);
});
