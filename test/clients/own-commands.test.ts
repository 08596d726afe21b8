import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import type {Assistant} from '../../src/assistants/assistant.ts';
import {evidence} from '../../src/assistants/catalogue/evidence.ts';
import type {Place} from '../../src/assistants/place.ts';
import {membersOf} from '../../src/domain/written-entry.ts';
import {isSameValue} from '../../src/json.ts';
import {surroundingsForTest} from '../e2e/support/run.ts';
import {type Installed, pathWith} from './support/install.ts';
import {installNewest} from './support/newest.ts';
import {ownCommands, URL_OF_SERVER} from './support/own-commands.ts';
import {runProgram} from './support/program.ts';

const TIMEOUT = 60_000;

/** One line for each kind of entry, with what each client's own command writes beside what this program writes. */
const lines: string[] = [];
afterAll(() => {
  process.stdout.write(`\nEntries of the clients’ own commands, beside those of this program:\n${lines.join('\n')}\n`);
});

/** Makes the client write the entry `mine` in a home of its own, and returns the entry and its file. */
const written = async (
  {client, bin}: Installed,
  {alsoReads, files, format}: Assistant,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
) => {
  const {home, env} = surroundingsForTest();
  const project = join(home, 'project');
  mkdirSync(project);
  const {code, stdout, stderr} = await runProgram(join(bin, client.command), args, {
    ...{cwd: project, timeout: TIMEOUT},
    env: {...env, PATH: pathWith(bin), HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1', ...more},
  });
  const place: Place = {home, project, system: 'linux', env: {}};
  const read = [...files('user', place), ...(alsoReads?.('user', place) ?? [])];
  const editor = await format.editor();
  const found = [...new Set(read)].flatMap(path => {
    const entry = existsSync(path) ? editor.read(readFileSync(path, 'utf8'), path).mine : undefined;
    return entry === undefined ? [] : [{path: path.slice(home.length + 1), entry}];
  });
  expect(found, `${args.join(' ')}: ${code}\n${stdout}${stderr}`).toHaveLength(1);
  return {...found[0], preferred: files('user', place)[0]?.slice(home.length + 1)};
};

/** Returns the members in which two entries differ. Empty members count as absent. */
const differing = (own: unknown, ours: unknown): readonly string[] => {
  const [theirs, mine] = [own, ours].map(
    entry => new Map([...membersOf(entry)].filter(([, value]) => !isSameValue(value, {}))),
  );
  return [...new Set([...(theirs?.keys() ?? []), ...(mine?.keys() ?? [])])]
    .filter(pointer => !isSameValue(theirs?.get(pointer), mine?.get(pointer)))
    .map(pointer => pointer.slice(1).replaceAll('/', '.'));
};

const at = {name: 'mine', scope: 'user', system: 'linux'} as const;

for (const own of ownCommands) {
  const {assistant, client, apart = {}, env, isOfAnotherForm} = own;
  const newest = await installNewest(client);
  if ('missing' in newest) {
    lines.push(`${client.name}: left out: ${newest.missing}`);
    describe.skip(`${client.name}, left out: ${newest.missing}`, () =>
      test('writes what this program writes', () => {}));
    continue;
  }
  const {installed, lacking} = newest;
  const {version} = installed.client;
  const {version: seen, on} = evidence[assistant.id] ?? {};
  const kinds = [
    [
      'command',
      assistant.entry.command({
        ...at,
        command: 'node',
        args: ['server.js'],
        ...(own.command.includes('A=b') ? {env: {A: 'b'}} : {}),
      }),
    ],
    ['header', assistant.entry.header?.({...at, url: URL_OF_SERVER, authorization: 'Bearer T'})],
    ['oauth', assistant.entry.oauth?.({...at, url: URL_OF_SERVER, clientId: 'client'})],
  ] as const;

  describe(`${client.name} ${version}${lacking === undefined ? '' : `, in the place of ${lacking}`}`, () => {
    test.for(kinds.filter(([kind]) => own[kind] !== undefined))(
      'writes what this program writes, into the same file: %s',
      async ([kind, ours]) => {
        const {path, preferred, entry} = await written(installed, assistant, own[kind] ?? [], env);
        const forms = isOfAnotherForm ? [entry, ours].map(form => assistant.entry.read(form)) : [entry, ours];
        const others = differing(...(forms as [unknown, unknown])).filter(member => !apart[kind]?.includes(member));
        const is = others.length === 0 && path === preferred ? 'the same' : `differs: ${[path, ...others].join(', ')}`;
        const newer = lacking === undefined ? '' : `; not in the newest, ${lacking}`;
        lines.push(`${client.name} ${version} (seen with ${seen} on ${on}${newer}), ${kind}: ${is}`);
        expect({path, others}).toEqual({path: preferred, others: []});
      },
    );
  });
}
