import type {Secret} from '../domain/secret.ts';
import type {Confinement, TokensInFile} from '../ports/storage.ts';
import type {FileChange} from './flow.ts';

/** A file that will change, and how. */
export type PlannedFile = {
  readonly path: string;
  /** Which file changes, absolute, where `path` is a link to it or lies behind one. */
  readonly leadsTo?: string;
  readonly change: FileChange;
  readonly summary: string;
  /** Unified diff, secrets replaced; empty for files of the program's own. */
  readonly diff: string;
  /** Whether it is one of this program’s own, which stays as long as anything is known of a deployment. */
  readonly isOwn?: true;
  /** What was found when the plan was made; SHA-256 in hex, null for no file. */
  readonly before: string | null;
  /** The very bytes of which the diff is shown; absent where another flow writes the file. */
  readonly write?: PlannedWrite;
};

export type PlannedWrite = {
  /** What it will hold; null where it goes. */
  readonly after: Secret<string | Buffer> | Buffer | null;
  /** Permission bits: of a new file, or with `tighten` of one that is there as well. */
  readonly mode: number;
  readonly tighten: boolean;
  /** Where tokens of ours stand: the copy that is kept for undo leaves them out. */
  readonly tokens: TokensInFile;
  /** What a sign-out makes of it, where that is more than to put something in the place of tokens. */
  readonly signedOut?: Secret;
  /** The directories that are made for it, or were and go with it, the innermost first. */
  readonly directories?: readonly string[];
  /** Set for a file that keeps others out of git: it is there before they are. */
  readonly isIgnoreFile?: true;
  /** Set for a file that such a one keeps out: it is written only once that is so. */
  readonly isKeptOut?: true;
  /** Where it has to be, by links as well: absent for a file of the person's own, which may lie anywhere. */
  readonly within?: Confinement;
};

/** For a file without tokens of ours. */
export const noTokens: TokensInFile = {before: [], after: []};

/** How many lines may be added and removed in a diff that is shown: nobody reads more, and it takes their square in time. */
const MOST_LINES = 2_000;

/** The hunks of a unified diff, without its file header. */
export const diffOf = async (before: string, after: string): Promise<string> => {
  const {structuredPatch} = await import('diff');
  const options = {context: 2, maxEditLength: MOST_LINES};
  const patch = structuredPatch('', '', before, after, '', '', options);
  return patch?.hunks.flatMap(({lines}) => lines).join('\n') ?? `… more than ${MOST_LINES} lines differ`;
};
