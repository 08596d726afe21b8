import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {describe, expect, test} from 'vitest';

const root = join(import.meta.dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(root, 'docs')).flatMap(name => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** What a page links to or shows, without addresses of the web: a file, and the heading in it that is meant. */
const linksOf = (page: string): readonly (readonly [file: string, anchor: string])[] =>
  [...textOf(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(
    ([, path = '', anchor = '']) => [
      path === '' ? page : relative(root, join(root, dirname(page), path)).replaceAll('\\', '/'),
      anchor,
    ],
  );

/** The anchors of a page, as GitHub makes them of its headings. */
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
