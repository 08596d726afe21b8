import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import {type Finding, pass, warn} from '../../domain/finding.ts';
import {pathKey} from '../../domain/paths.ts';
import {remedyText} from '../../errors/describe-error.ts';
import {type SetupError, toSetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import {openText} from '../planned-file.ts';
import type {Check} from './check.ts';

/** A file of an assistant that cannot be read in its format, and the name of the assistant. */
type Broken = {readonly path: string; readonly name: string; readonly error: SetupError};

/**
 * The files in which the assistants on this machine keep their servers, the person's and the project's. A file that
 * does not parse stops a setup before anything is written. Files with entries of the context have checks of their own.
 */
export const assistantFiles: Check = {
  id: 'assistant-files',
  title: 'Files of your assistants',
  needs: ['config'],
  run: async ({ports, machine: {assistants, place}, subject: {context}}): Promise<Finding> => {
    const used = new Set((context?.entries ?? []).map(({path}) => pathKey(path)));
    const looked = await Promise.all(
      assistants.map(async assistant => {
        if (!(await isHere(assistant, place, ports))) return [];
        const paths = filesOf(assistant, place).filter(path => !used.has(pathKey(path)));
        return Promise.all(paths.map(path => look(assistant, path, ports)));
      }),
    );
    const found = looked.flat().flatMap(one => one ?? []);
    const count = new Set(found.map(({path}) => path)).size;
    if (count === 0) {
      return {verdict: 'skipped', saw: used.size > 0 ? 'none but those with entries' : 'no assistant has one here'};
    }
    // Several assistants may read the same file, and some are stricter than others.
    const broken = [...Map.groupBy(found.filter(isBroken), ({path}) => path).values()];
    const [first] = broken;
    if (!first) return pass(`${count} of ${count} can be read`);
    return warn(
      `${count - broken.length} of ${count} can be read`,
      broken.flatMap(([one]) => one?.error.message ?? []).join(' '),
      remedyFor(broken.flat()),
    );
  },
};

/** An assistant that leaves no traces is looked for by its files alone. */
const isHere = async ({traces}: Assistant, place: Place, {files}: Ports): Promise<boolean> => {
  const paths = traces(place);
  return paths.length === 0 || (await Promise.all(paths.map(files.exists))).includes(true);
};

const filesOf = ({files, alsoReads}: Assistant, place: Place): readonly string[] => [
  ...new Set((['user', 'project'] as const).flatMap(scope => (alsoReads ?? files)(scope, place))),
];

type Looked = {readonly path: string} | Broken;

/** Parses a file if it exists, and loads a parser only then. Its contents are not kept. */
const look = async ({name, format}: Assistant, path: string, {files}: Ports): Promise<Looked | undefined> => {
  try {
    const contents = await files.read(path);
    if (!contents) return undefined;
    const {editor, text} = await openText(format, contents.bytes, path);
    editor.read(text, path);
    return {path};
  } catch (error) {
    return {path, name, error: toSetupError(error)};
  }
};

const isBroken = (looked: Looked): looked is Broken => 'error' in looked;

/** Says what to do about a file that cannot be parsed, or that may not be read. */
const remedyFor = (broken: readonly Broken[]): string => {
  const remedies = broken.map(({error}) =>
    error.code === 'local-file-invalid' ? 'Fix them by hand.' : remedyText(error),
  );
  const names = [...new Set(broken.map(({name}) => name))].join(', ');
  return `${[...new Set(remedies)].join(' ')} Until then, continue without ${names}.`;
};
