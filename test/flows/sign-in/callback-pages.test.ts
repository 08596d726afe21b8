import {expect, test} from 'vitest';
import {SetupError} from '../../../src/errors/errors.ts';
import {alreadyPage, failedPage, signedInPage, strayPage} from '../../../src/flows/sign-in/callback-server.ts';

const failed = failedPage(new SetupError('auth-authorization-failed', 'It was refused.', {remedy: 'Ask them.'}));

test.each([
  ['a sign-in that has arrived', signedInPage],
  ['one that failed', failed],
  ['an answer to another one', strayPage],
  ['an answer that came before', alreadyPage],
])('the page after %s speaks of the program, because the bridge of an assistant has no terminal', (_, page) => {
  expect(`${page.title} ${page.text} ${page.next}`).not.toMatch(/terminal/i);
});

test('the page for an answer to another sign-in says where its address can be used', () => {
  expect(strayPage.next).toContain('copy that address and paste it there');
});

test('the page of a failure has its message and its remedy', () => {
  expect([failed.text, failed.next]).toEqual([
    'It was refused.',
    'Go back to the program that asked you to sign in. Ask them.',
  ]);
});
