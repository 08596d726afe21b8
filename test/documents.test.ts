import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {describe, expect, test} from 'vitest';
import {commands} from '../src/command-line/commands.ts';
import {flags} from '../src/command-line/flags.ts';
import {faultNames} from '../src/command-line/sandbox/sandbox-faults.ts';
import {errorCodes} from '../src/errors/error-table.ts';
import {identityProviders} from '../src/identity-providers/catalogue.ts';

const root = join(import.meta.dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(root, 'docs')).flatMap(name => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** Returns the files that a page links to or shows, without web addresses, each with the heading that is meant. */
const linksOf = (page: string): readonly (readonly [file: string, anchor: string])[] =>
  [...textOf(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(
    ([, path = '', anchor = '']) => [
      path === '' ? page : relative(root, join(root, dirname(page), path)).replaceAll('\\', '/'),
      anchor,
    ],
  );

/** Returns the anchors of a page, as GitHub derives them from its headings. */
const anchorsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );

describe('links', () => {
  test.each(pages)('of %s lead to files and headings that there are', page => {
    const broken = linksOf(page).filter(([file, anchor]) => {
      if (!existsSync(join(root, file))) return true;
      return anchor !== '' && !anchorsOf(file).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('what pages name', () => {
  /** Flags of npm, of GitHub’s command line and of `npm run bench`, and `flag` as a placeholder. */
  const others = ['global', 'prefix', 'ignore-scripts', 'repo', 'against', 'peers', 'flag'];
  // Pages generated from the catalogue name flags of identity providers, and the decisions name flags of Node.
  const own = pages.filter(page => !/identity-providers|decisions/.test(page));

  test.each(own)('in %s are flags and commands that there are', page => {
    const text = textOf(page);
    const named = [...text.matchAll(/(?<![\w-])--([a-z][a-z-]+)/g)].map(([, name = '']) => name);
    expect(named.filter(name => !(name in flags) && !others.includes(name))).toEqual([]);
    const called = [...text.matchAll(/`(?:npx )?setup ([a-z]+(?: [a-z]+)?)/g)].map(([, words = '']) =>
      words.split(' '),
    );
    const isCommand = (typed: readonly string[]) =>
      commands.some(({words}) => words.length > 0 && words.every((word, at) => typed[at] === word));
    expect(called.filter(words => !isCommand(words))).toEqual([]);
  });
});

describe('the index', () => {
  const linked = linksOf('docs/README.md').map(([file]) => file);

  test('has every page of docs/', () => {
    const others = pages.filter(page => page.startsWith('docs/') && page !== 'docs/README.md');
    expect(others.filter(page => !linked.includes(page))).toEqual([]);
  });

  test('is linked from README, and has the pages beside that', () => {
    expect(linksOf('README.md').map(([file]) => file)).toContain('docs/README.md');
    for (const page of ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']) expect(linked).toContain(page);
  });
});

describe('troubleshooting', () => {
  const page = textOf('docs/troubleshooting.md');
  const sources = ['src', 'bin'].flatMap(folder =>
    readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
      .filter(path => /\.(?:tsx?|js)$/.test(path))
      .map(path => textOf(join(folder, path))),
  );
  const isSaid = (words: string) => sources.some(text => text.toLowerCase().includes(words.toLowerCase()));

  test('has messages in the words of the program', () => {
    const messages = [...page.matchAll(/^\| (“[^|]*”) \|/gm)].flatMap(([, cell = '']) =>
      cell.slice(1, -1).split('”, “'),
    );
    expect(messages.length).toBeGreaterThan(30);
    const parts = messages.flatMap(message => message.split('…').map(part => part.trim()));
    expect(parts.filter(part => part.length > 2 && !isSaid(part))).toEqual([]);
  });

  test('has codes that there are', () => {
    const codes = [...page.matchAll(/`((?:input|network|auth|platform|local)-[a-z-]+)`/g)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(25);
    expect(codes.filter(code => !errorCodes.some(one => one === code))).toEqual([]);
  });

  test('has checks that there are', () => {
    const named = [...page.matchAll(/^\|.*\| ((?:`[\w*-]+`(?:, )?)+) \|$/gm)].flatMap(([, cell = '']) =>
      cell.split(', '),
    );
    expect(named.length).toBeGreaterThan(15);
    const stems = named.map(name => name.replaceAll('`', '').replace(/^(tcp|health|tls|mcp|assistant)-.*$/, '$1-'));
    const isCheck = (stem: string) => isSaid(stem.endsWith('-') ? `\`${stem}\${` : `id: '${stem}'`);
    expect(stems.filter(stem => !isCheck(stem))).toEqual([]);
  });
});

test('troubleshooting lists every check of the diagnosis', () => {
  const checks = readdirSync(join(root, 'src/flows/diagnosis/checks')).map(name =>
    textOf(join('src/flows/diagnosis/checks', name)),
  );
  const ids = checks.flatMap(text => [...text.matchAll(/\bid: ['`]([\w-]+)/g)].map(([, id = '']) => id));
  expect(ids.length).toBeGreaterThan(20);
  const page = textOf('docs/troubleshooting.md');
  expect(ids.filter(id => !page.includes(`\`${id}`))).toEqual([]);
});

test('practising names every fault that there is, and no other', () => {
  const named = [...textOf('docs/practising.md').matchAll(/^\| ((?:`[a-z0-9-]+`(?:, )?)+) \| (?:none|`)/gm)];
  const faults = new Set(named.flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', ')));
  expect([...faults, 'no-browser'].toSorted()).toEqual(faultNames.toSorted());
});

test('README fits on two screens: everything else is in docs/', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(100);
});

test('the page on signing in says how many kinds of identity provider are recognised', () => {
  const numbers = ['Fifteen', 'Sixteen', 'Seventeen', 'Eighteen', 'Nineteen', 'Twenty'];
  const said = /(\w+) kinds are recognised/.exec(textOf('docs/signing-in.md'))?.[1] ?? '';
  expect(numbers.indexOf(said) + 15).toBe(identityProviders.length);
});

test('the second part of the glossary names files that there are, in the order of the alphabet', () => {
  const [, code = ''] = textOf('docs/glossary.md').split('## In the code');
  const rows = [...code.matchAll(/^\| (?!word|---)(.+?) \| .* \| `(.+?)` \|$/gm)].map(([, word = '', file = '']) => ({
    word,
    file,
  }));
  expect(rows.length).toBeGreaterThan(25);
  expect(rows.filter(({file}) => !existsSync(join(root, 'src', file)))).toEqual([]);
  const words = rows.map(({word}) => word);
  expect(words).toEqual(words.toSorted((one, other) => one.localeCompare(other)));
});
