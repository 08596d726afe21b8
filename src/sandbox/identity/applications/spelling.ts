import type {ApplicationRules} from '../../releases/identity-release.ts';

type Spelling = ApplicationRules['spelling'];

/** A body as these handlers write it, in the spelling of a release. */
export const toSpelling = (body: unknown, spelling: Spelling): unknown =>
  spelling === 'snake_case' ? body : renamed(body, camelCase);

/** A body of a client in the spelling of these handlers. What is spelt otherwise is a member that nobody knows. */
export const fromSpelling = (body: unknown, spelling: Spelling): unknown =>
  spelling === 'snake_case' ? body : renamed(body, name => (name.includes('_') ? `?${name}` : snakeCase(name)));

const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map(one => renamed(one, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), renamed(member, rename)]));
};

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const snakeCase = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
