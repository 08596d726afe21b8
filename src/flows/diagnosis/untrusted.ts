import {dirname} from 'node:path';
import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import type {Standing, Trust} from '../../assistants/trust.ts';
import type {ContextEntry} from '../../domain/context.ts';
import {type Finding, warn} from '../../domain/finding.ts';
import {isSamePath} from '../../domain/paths.ts';
import {repositoryOf} from '../git-repository.ts';
import type {Scene} from './check.ts';

/**
 * Returns a warning if the assistant waits for the person before it starts what a project's file names; undefined if it
 * does not, or does not say.
 */
export const untrusted = async (
  {name, trust, files, ended}: Assistant,
  {path, scope, names, method}: ContextEntry,
  {machine: {place}, ports}: Scene,
): Promise<Finding | undefined> => {
  if (!trust || scope !== 'project') return undefined;
  const folder = folderOf(path, files, place);
  if (folder === undefined) return undefined;
  const repository = await repositoryOf(path, ports);
  const question = {place, folder, names, method, ...(repository === undefined ? {} : {repository})};
  // Loaded here: few people have entries in a project, and the parsers are large.
  const {parseWithinLimits} = await import('../../assistants/editors/parse-values.ts');
  const values = await Promise.all(
    trust.files(question).map(async file => {
      const contents = await ports.files.read(file).catch(() => undefined);
      return contents && parseWithinLimits(contents.bytes.toString('utf8'), trust.language);
    }),
  );
  const standing = trust.standing(values, question);
  if (standing === 'trusted') return undefined;
  const [sentence, remedy] = says[standing]({name, folder, names, ...trust});
  return warn(`${path}, ${standing}`, sentence, ended === undefined ? remedy : `${remedy} ${ended}`);
};

/** Returns the directory of the project that a file belongs to. */
const folderOf = (path: string, files: Assistant['files'], place: Place): string | undefined => {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (files('project', {...place, project: at}).some(one => isSamePath(one, path))) return at;
    if (dirname(at) === at) return undefined;
  }
};

type Who = {
  readonly name: string;
  readonly folder: string;
  readonly names: readonly string[];
} & Pick<Trust, 'forgets' | 'approves'>;

type Says = (who: Who) => readonly [sentence: string, remedy: string];

const says: Readonly<Record<Exclude<Standing, 'trusted'>, Says>> = {
  untrusted: ({name, folder}) => [
    `${name} does not trust ${folder} yet, so it starts nothing that is named in its files.`,
    `Start ${name} in that folder, and trust the folder when it asks.`,
  ],
  unapproved: ({name, folder, names, approves}) =>
    approves
      ? [
          `${name} needs your approval to use these servers in ${folder}.`,
          `Run ${names.map(one => `${approves} ${one}`).join(' and ')} in that folder.`,
        ]
      : [
          `${name} trusts ${folder}, but you still have to approve these servers.`,
          `Start ${name} in that folder, and approve them when it asks.`,
        ],
  refused: ({name, folder, names, forgets, approves}) => [
    `${name} was told not to use these servers, or not to trust ${folder}.`,
    approves
      ? `Run ${names.map(one => `${approves} ${one}`).join(' and ')} in that folder to change that.`
      : forgets
        ? `Run ${forgets} in that folder to change that.`
        : `Change that in ${name} if you no longer want it.`,
  ],
};
