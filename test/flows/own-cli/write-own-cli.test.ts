import {expect, test} from 'vitest';
import {writeOwnCli} from '../../../src/flows/own-cli/own-cli-file.ts';
import {digest} from '../../../src/flows/planned-file.ts';
import {undoWrites} from '../../../src/flows/undo.ts';
import {collect} from '../../support/flows.ts';
import {homeWith, others, person} from './support/home.ts';

/** Sets up a person, and the write that is planned for the CLI's file. */
const planned = async (text?: string) => {
  const home = await homeWith(text);
  const {path, change, before, after, signedOut, tokens, record} = await home.compose();
  const write = {after, mode: 0o600, tighten: true, tokens, signedOut};
  const file = {path, change, summary: '', diff: '', before: digest(before), write};
  await home.ports.config.saveContext(person);
  const known = async () => (await home.ports.config.read()).contexts[0]?.cli;
  const writing = () => collect(writeOwnCli, {context: 'acme', planned: {file, record}}, home.ports);
  return {...home, after, record, known, writing};
};

test.each([undefined, others])('the file is written as it was planned, and is known from then on (%#)', async text => {
  const {writing, path, after, record, known, expectMode, text: now} = await planned(text);
  expect(await writing()).toEqual({
    result: path,
    events: [{type: 'file-written', path, change: text === undefined ? 'new' : 'changed'}],
  });
  expect([await now(), await known()]).toEqual([after.reveal(), record]);
  await expectMode(0o600);
});

test('a file that somebody has changed in between stays, and nothing is known of it', async () => {
  const {writing, put, text, known} = await planned(others);
  await put(`${others}# mine\n`);
  await expect(writing()).rejects.toMatchObject({code: 'local-file-changed'});
  expect([await text(), await known()]).toEqual([`${others}# mine\n`, undefined]);
});

test('undo puts back what was there', async () => {
  const {writing, text, ports} = await planned(others);
  await writing();
  await collect(undoWrites, {which: 1}, ports);
  expect(await text()).toBe(others);
});
