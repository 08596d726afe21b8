import type {FileChange} from '../flow.ts';

/** A file that will change, and how. */
export type PlannedFile = {
  readonly path: string;
  readonly change: FileChange;
  readonly summary: string;
  /** Unified diff, secrets replaced; empty for files of the program's own. */
  readonly diff: string;
  /** What was found when the plan was made; SHA-256 in hex, null for no file. */
  readonly before: string | null;
};

/** The hunks of a unified diff, without its file header. */
export const diffOf = async (before: string, after: string): Promise<string> => {
  const {structuredPatch} = await import('diff');
  const {hunks} = structuredPatch('', '', before, after, '', '', {context: 2});
  return hunks.flatMap(({lines}) => lines).join('\n');
};
