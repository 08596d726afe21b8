import {join} from 'node:path';
import type {Scope} from '../domain/context.ts';
import {isSamePath, pathBelow} from '../domain/paths.ts';
import type {Confinement, Files} from '../ports/storage.ts';

/**
 * Where an assistant's file has to be. One for all projects is the person's own and may lie anywhere, as a link among
 * their dotfiles does. A project's comes with a repository, which may hold links to the person's other files.
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
 * Which file is changed by a write to `path`, where links below `base` lead to another one than the path says.
 *
 * @param base the directory that the person knows the path by: their home, or the project
 * @returns an absolute path; undefined where no link is in between
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
