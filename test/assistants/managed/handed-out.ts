import {join} from 'node:path/posix';
import type {Assistant} from '../../../src/assistants/assistant.ts';
import {managedBy} from '../../../src/assistants/catalogue/managed-by.ts';
import type {HandedOut, Handling, ManagedFile} from '../../../src/assistants/managed.ts';
import type {Place} from '../../../src/assistants/place.ts';
import {readRules} from '../../../src/flows/assistants/within-rules.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {places} from '../catalogue/golden.ts';

export const url = 'https://api.acme.example/mcp';

/** Where an organisation puts this program on every machine. */
export const program = {
  command: '/opt/platform-setup/lib/node_modules/node/bin/node',
  args: ['/opt/platform-setup/lib/node_modules/platform-setup/bin/setup.js'],
};

export const serve = ['mcp', 'serve', 'control-plane', '--context', 'acme'];

/** A server as the assistant gets it, by the bridge. */
export const handedOut = ({entry: {command, read}}: Assistant, name = 'acme-control-plane'): HandedOut => {
  const entry = command({name, scope: 'user', system: 'linux', ...program, args: [...program.args, ...serve]});
  const connection = read(entry);
  if (!connection) throw new Error(`${name} is not read.`);
  return {name, url, entry, connection};
};

/** What an assistant is given to read on every machine, where things are done in this way. */
export const filesFor = (assistant: Assistant, handling: Handling, place = places.linux): readonly ManagedFile[] =>
  (managedBy(assistant.id)?.files(place, [handedOut(assistant)]) ?? []).filter(file =>
    file.handling.includes(handling),
  );

/** What this program makes of such a machine. */
export const rulesOn = (files: readonly ManagedFile[], assistant: Assistant, place: Place = places.linux) => {
  const texts = new Map(files.map(({path, text}) => [path, text]));
  const read = async (path: string) => {
    // Whatever system this program runs on, it is about a machine with Linux.
    const text = texts.get(path.replaceAll('\\', '/'));
    return text === undefined ? undefined : {bytes: Buffer.from(text)};
  };
  const list = async (directory: string) =>
    [...texts.keys()].flatMap(path => {
      const name = path.slice(directory.length + 1);
      return join(directory, name) === path && !name.includes('/') ? [name] : [];
    });
  return readRules(assistant, place, {files: {read, list}} as unknown as Ports);
};
