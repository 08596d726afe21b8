import {expect, test} from 'vitest';
import {demoDirectory, type FileOnDisk, filesBelow} from '../support/files.ts';
import {runSetup} from '../support/run.ts';
import {goTo, openSetup} from '../support/wizard.ts';

test('the wizard by keyboard and --yes --json end in the same files', async () => {
  const terminal = openSetup(['demo', '--keep']);
  await goTo(terminal, 'done');
  terminal.press('enter');
  await terminal.exit;
  const byKeyboard = demoDirectory(terminal.temporary);
  const fromFlags = demoDirectory((await runSetup(['demo', '--yes', '--json', '--keep'])).temporary);
  expect(comparable(byKeyboard).length).toBeGreaterThanOrEqual(3);
  expect(comparable(fromFlags)).toEqual(comparable(byKeyboard));
});

/**
 * Returns the files of a demonstration without what differs from run to run: its directory, ports, tokens, secrets
 * and times.
 */
const comparable = (directory: string): readonly FileOnDisk[] =>
  filesBelow(directory)
    .map(({path, mode, text}) => ({
      path: path.replace(/journal\/.*/, 'journal/…'),
      mode,
      text: text
        .replaceAll(directory, '<demo>')
        .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
        .replaceAll(/(\.localhost:|127\.0\.0\.1:)\d+/g, '$1<port>')
        .replaceAll(/("clientSecret": )"[^"]+"/g, '$1"<secret>"')
        .replaceAll(/("(?:expiresAt|obtainedAt|until)": )\d+/g, '$1"<time>"')
        .replaceAll(/("(?:connection|\/\w+)": )"[\w-]{16}"/g, '$1"<digest>"')
        .replaceAll(/("(?:n|kid)": )"[^"]+"/g, '$1"<key>"')
        .replaceAll(/("(?:at|after|run|signedOut)": )"[^"]+"/g, '$1"<entry>"'),
    }))
    .sort((one, other) => compare(one.path + one.text, other.path + other.text));

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
