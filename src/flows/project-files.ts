import {join} from 'node:path';
import type {Scope} from '../domain/context.ts';
import {isSamePath, pathBelow} from '../domain/paths.ts';
import type {Confinement, Files} from '../ports/storage.ts';

/**
 * Returns the directory in which an assistant's file has to be. A file for all projects is the person's own and may be
 * anywhere, such as a link to their dotfiles. A project's file comes with a repository, which may have links to the
 * person's other files.
 *
 * @param entry with `project`, the absolute directory of the project
 */
export const confinementOf = ({
  scope,
  project,
}: {
  readonly scope: Scope;
  readonly project: string;
}): Confinement | undefined => (scope === 'project' ? {root: project} : undefined);

/**
 * Returns the file that a write to `path` changes, if a link below `base` leads to another file.
 *
 * @param base the directory from which the person knows the path: their home, or the project
 * @returns an absolute path; undefined if no link is in between
 */
export const linkTargetOf = async (
  path: string,
  base: string,
  files: Pick<Files, 'targetOf'>,
): Promise<string | undefined> => {
  const target = await files.targetOf(path);
  const below = pathBelow(path, base);
  const expected = below === undefined ? path : join(await files.targetOf(base), below);
  return isSamePath(target, expected) ? undefined : target;
};
