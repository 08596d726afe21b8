import {join} from 'node:path/posix';
import type {Assistant} from '../../../src/assistants/assistant.ts';
import type {HandedOut, Handling, ManagedFile} from '../../../src/assistants/managed.ts';
import {managedBy} from '../../../src/assistants/managed-files.ts';
import type {Place} from '../../../src/assistants/place.ts';
import {readRules} from '../../../src/flows/assistants/organisation-rules.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {places} from '../catalogue/golden.ts';

export const url = 'https://api.acme.example/mcp';

/** The directory in which an organisation installs this program on every machine. */
export const program = {
  command: '/opt/platform-setup/lib/node_modules/node/bin/node',
  args: ['/opt/platform-setup/lib/node_modules/platform-setup/bin/setup.js'],
};

export const serve = ['mcp', 'serve', 'control-plane', '--context', 'acme'];

/** Returns a server as the assistant gets it, through the bridge. */
export const handedOut = ({entry: {command, read}}: Assistant, name = 'acme-control-plane'): HandedOut => {
  const entry = command({name, scope: 'user', system: 'linux', ...program, args: [...program.args, ...serve]});
  const connection = read(entry);
  if (!connection) throw new Error(`${name} is not read.`);
  return {name, url, entry, connection};
};

/** Returns the files for an assistant on every machine with this handling. */
export const filesFor = (assistant: Assistant, handling: Handling, place = places.linux): readonly ManagedFile[] =>
  (managedBy(assistant.id)?.files(place, [handedOut(assistant)]) ?? []).filter(file =>
    file.handling.includes(handling),
  );

/** Returns the rules that this program reads on such a machine. */
export const rulesOn = (files: readonly ManagedFile[], assistant: Assistant, place: Place = places.linux) => {
  const texts = new Map(files.map(({path, text}) => [path, text]));
  const read = async (path: string) => {
    // The files are those of a Linux machine, on whatever system this program runs.
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
