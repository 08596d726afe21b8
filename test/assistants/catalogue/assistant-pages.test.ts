import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {withTable} from '../../../scripts/assistant-pages.ts';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {evidence} from '../../../src/assistants/catalogue/evidence.ts';
import {pastedAssistants} from '../../../src/assistants/catalogue/pasted.ts';

test('the table of the documentation says what the catalogue says: npm run docs assistant-pages', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/assistants.md'), 'utf8');
  expect(withTable(page)).toBe(page);
});

test('a page without a place for the table is refused', () => {
  expect(() => withTable('# Assistants\n')).toThrow('no place for the table');
});

test('every row says how it is known, and by what', () => {
  const pasted = pastedAssistants.map(({assistant}) => assistant);
  const ids = [...allAssistants, ...pasted].map(({id}) => id).filter(id => !id.endsWith('-windows'));
  expect(Object.keys(evidence).toSorted()).toEqual(ids.toSorted());
  for (const [id, {how, version, on, where}] of Object.entries(evidence)) {
    expect(on, id).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(version !== undefined || how !== 'run', id).toBe(true);
    expect(where !== undefined, id).toBe(how === 'source' || how === 'documentation');
    if (where !== undefined) expect(URL.canParse(where), id).toBe(true);
  }
});

test('README names how many there are', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../../../README.md'), 'utf8');
  const more = /Claude Code, Cursor, VS Code and (\d+) more/.exec(readme)?.[1];
  const rows = allAssistants.filter(({id}) => !/-windows$|^generic$|^documented$/.test(id));
  expect(Number(more)).toBe(rows.length + pastedAssistants.length - 3);
});
