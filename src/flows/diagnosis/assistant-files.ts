import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import {type Finding, pass, warn} from '../../domain/finding.ts';
import {pathKey} from '../../domain/paths.ts';
import {type SetupError, toSetupError} from '../../errors/errors.ts';
import type {Ports} from '../../ports/ports.ts';
import {openText} from '../planned-file.ts';
import type {Check} from './check.ts';

/** A file of an assistant that cannot be read as what it is, and who reads it. */
type Broken = {readonly path: string; readonly name: string; readonly error: SetupError};

/**
 * The files in which the assistants of this machine keep their servers, the person's and the project's: one that does not
 * parse stops a setup before anything is written. Those with entries of the context are used by checks of their own.
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
    // Several may read the same file, in the same words or in stricter ones.
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

/** One that leaves no traces is there where its file is. */
const isHere = async ({traces}: Assistant, place: Place, {files}: Ports): Promise<boolean> => {
  const paths = traces(place);
  return paths.length === 0 || (await Promise.all(paths.map(files.exists))).includes(true);
};

const filesOf = ({files, alsoReads}: Assistant, place: Place): readonly string[] => [
  ...new Set((['user', 'project'] as const).flatMap(scope => (alsoReads ?? files)(scope, place))),
];

type Looked = {readonly path: string} | Broken;

/** Parses a file if there is one; no parser is loaded for one that is not. What stands in it goes nowhere. */
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

/** What is to be done about a file that does not parse, or about one that may not be read. */
const remedyFor = (broken: readonly Broken[]): string => {
  const remedies = broken.map(({error}) => (error.code === 'local-file-invalid' ? 'Fix them by hand.' : error.remedy));
  const names = [...new Set(broken.map(({name}) => name))].join(', ');
  return `${[...new Set(remedies)].join(' ')} Until then, continue without ${names}.`;
};
