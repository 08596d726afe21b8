import {describe, expect, test} from 'vitest';
import {describeError} from '../../src/errors/describe-error.ts';
import {errorCodes} from '../../src/errors/error-table.ts';
import {SetupError} from '../../src/errors/errors.ts';
import {onlyAsks, saysWhatToDo} from './remedies.ts';

test.each(errorCodes)('%s begins with something to do', code => {
  const error = new SetupError(code, 'It failed.');
  for (const isAsked of [false, true]) expect(describeError(error, {isAsked}).remedy).toSatisfy(saysWhatToDo);
});

test.each(errorCodes)('%s is for the operators where a person can do nothing but ask them, and only there', code => {
  const {remedy, whose} = describeError(new SetupError(code, 'It failed.'));
  expect(whose === 'platform').toBe(onlyAsks(remedy));
});

/** Whether a remedy names the operators, or an administrator, as people who may have to act. */
const namesOperators = (remedy: string): boolean =>
  /\b(?:ask|tell|from)\b[^.]*\b(?:operators|platform team|administrator)\b/i.test(remedy);

test.each(errorCodes)(
  '%s is for either where its remedy names the operators after the person, and only there',
  code => {
    const {remedy, whose} = describeError(new SetupError(code, 'It failed.'));
    expect(whose === 'either').toBe(namesOperators(remedy) && !onlyAsks(remedy));
  },
);

describe('the rule', () => {
  test.each([
    ['Ask the identity provider’s operators to enable the client.', true],
    ['Ask the identity provider’s operators to publish the endpoint, or not to require it.', true],
    ['Ask your platform team to check it.', true],
    ['Ask the identity provider’s operators to allow these scopes, or request others.', false],
    ['Ask its operators whether it does. If it does, you can sign in anyway.', false],
    ['Ask the platform’s operators for it. Pass it with --client-cert FILE.', false],
    ['Ask whoever runs the proxy to let this address through.', false],
    ['Try again. If it keeps failing, ask the platform’s operators.', false],
  ])('%s', (remedy, expected) => {
    expect(onlyAsks(remedy)).toBe(expected);
  });

  test.each(['The server named what it does not accept.', 'No file was left half written.', 'Details are in the log.'])(
    'is broken by what is nothing to do: %s',
    remedy => {
      expect(saysWhatToDo(remedy)).toBe(false);
    },
  );
});
