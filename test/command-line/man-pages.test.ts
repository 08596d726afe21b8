import {spawnSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {manPages} from '../../scripts/man-pages.ts';
import {commands} from '../../src/command-line/commands.ts';

const pages = await manPages(commands, '1.2.3');

/** Returns what a reader sees, without the escapes. */
const shown = (page: string) =>
  page
    .replaceAll('\\-', '-')
    .replaceAll(/\\f[BIR]/g, '')
    .replaceAll('\\&', '')
    .replaceAll('\\(cq', '’');

test('every command has a page with its flags and examples, and the program’s page names them all', () => {
  const overview = shown(pages.get('platform-setup.1') ?? '');
  expect([...pages.keys()]).toHaveLength(commands.length + 1);
  for (const {words, flags, examples, summary} of commands) {
    const name = ['platform-setup', ...words].join('-');
    const page = shown(pages.get(`${name}.1`) ?? expect.fail(`${name} has no page`));
    expect(page).toMatch(new RegExp(`^\\.TH ${name.toUpperCase()} 1 `));
    for (const flag of flags) expect(page).toContain(`--${flag}`);
    for (const example of examples)
      expect(page.replaceAll('...', '…')).toContain(example.replaceAll('npx setup', 'platform-setup'));
    if (words.length > 0) expect(overview).toContain(`${name}(1)\n${summary}.`);
  }
});

test('nothing but requests of ours begins a line as one', () => {
  for (const page of pages.values()) {
    const requests = page.split('\n').filter(line => /^[.']/.test(line));
    expect(requests.filter(line => !/^\.(TH|SH|TP|nf|fi|so)\b/.test(line))).toEqual([]);
    expect(page).not.toMatch(/[^\u0000-\u007f]/);
  }
});

const hasGroff = spawnSync('groff', ['--version']).status === 0;

test.skipIf(!hasGroff)('groff formats each without a warning', () => {
  for (const [name, page] of pages) {
    if (name === 'setup.1') continue;
    const {status, stdout, stderr} = spawnSync('groff', ['-man', '-Tascii', '-ww', '-z'], {
      input: page,
      encoding: 'utf8',
    });
    expect({name, status, stdout, stderr}).toEqual({name, status: 0, stdout: '', stderr: ''});
  }
});
