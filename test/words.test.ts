import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

/** Phrases that people had to read twice, and their replacements. */
const former = [
  ['Enter its base domain', 'Enter the platform’s base domain'],
  ['No deployment was found', 'No platform found yet'],
  ['is not a base domain. It looks like', 'A base domain looks like'],
  ['It did not work', 'what failed: “Sign-in failed”'],
  ['did not work', 'failed'],
  ['is not known (', 'could not be resolved'],
  ['the account that it does so with', 'the account they sign in with'],
  ['Needs an administrator once', 'An administrator must approve it once'],
  ['Known already', 'Using'],
  ['stays signed in, by', 'renews itself'],
  ['kept up by itself', 'renewed automatically'],
  ['a plain token in the file', 'a token in the file; expires'],
  ['kept, by', 'auto-renewed'],
  ['waits for your sign-in', 'sign-in needed'],
  ['not there any more', 'entry missing'],
  ['are taken out', 'will be removed'],
  ['without the entries of', 'removes 2 entries of'],
  ['Checking through what', 'Testing the new configuration'],
  ['answer through what was written', 'All set'],
  ['Waiting for you in', 'Enter this code in any browser'],
  ['in a browser here', 'use this machine’s browser'],
  ['by a code', 'with a code'],
  ['browser ended on', 'the address from your browser'],
  ['What was pasted', 'That address belongs to another sign-in'],
  ['or the code in it', 'or just the code'],
  ['a connection of another program', 'briefly held by a closed connection'],
  ['signed a token for another time', 'This computer’s clock is'],
  ['but not for this (403)', 'denied access (403)'],
  ['answered a web page', 'returned a web page instead of'],
  ['answered a page', 'returned a web page instead of'],
  ['not as healthy', 'is unhealthy'],
  ['who can see why', 'Ask your platform team to check it'],
  ['helps nobody', 'Don’t work around it'],
  ['renew or mend', 'renew or fix'],
  ['calls itself', 'identifies itself as'],
  ['knows no client', 'has no client'],
  ['is refused as soon', 'is refused again right away'],
  ['refused to renew the sign-in just now', 'refused to renew the sign-in'],
  ['You are not signed in to', 'You are signed out of'],
  ['As before; every entry', 'Same method; updates every assistant'],
  ['Check, and renew', 'Check and renew'],
  ['Set up anew', 'Start over'],
  ['Begin anew', 'Start over'],
  ['You left before the end', 'Continue where you left off?'],
  ['Your answers are kept', 'Progress saved'],
  ['What works and what does not', 'Find out what’s wrong'],
  ['A browser to open', 'Browser'],
  ['What the token says', 'Token contents'],
  ['Challenge of', 'MCP sign-in challenge'],
  ['Kept secrets', 'Stored secrets'],
  ['because of:', 'skipped: needs'],
  ['Close it: chmod', 'Fix: chmod'],
  ['Nobody is here', 'Not a terminal, so I can’t ask'],
  ['Enter the MCP servers in', 'Add the MCP servers to'],
  ['Misbehave', 'Simulate faults'],
  ['has what it needs', 'return to your terminal'],
  ['goes on where you were', 'Run npx setup to continue'],
  [' anew', 'again'],
  ['Have its operators', 'Ask its operators to'],
  ['If it stays,', 'If it happens again,'],
  ['all the same', 'anyway'],
] as const;

/** Returns a file without comments, which have other readers. */
const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[\s;{(])\/\/ .*$/gm, '$1');

const files = (directory: string): readonly string[] =>
  readdirSync(directory, {withFileTypes: true}).flatMap(entry => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? files(path) : /\.tsx?$/.test(path) ? [path] : [];
  });

test('nothing says what had to be read twice', () => {
  const found = files('src').flatMap(file => {
    const text = withoutComments(readFileSync(file, 'utf8'));
    return former.flatMap(([words, better]) => (text.includes(words) ? [`${file}: “${words}” → “${better}”`] : []));
  });
  expect(found).toEqual([]);
});
