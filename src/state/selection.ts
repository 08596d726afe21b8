import type {Method, Scope} from '../domain/context.ts';
import type {ToolChoice} from '../domain/tool-sets.ts';
import type {InGit} from '../flows/assistants/plan-files.ts';

/** Which assistants are connected, in which of their files, and how that is kept up. */
export type AssistantSelection = {
  /** By id; `detected` for those that were found, or any client's own file where none was. */
  readonly assistants: readonly string[] | 'detected';
  readonly scope: Scope;
  /** Whether entries in a project are for everybody who works in it, and so name nothing of this machine. */
  readonly isShared?: true;
  readonly method: Method | 'auto';
  /** Whether those that are connected stay as they are; scope and method then hold for the others. */
  readonly keepsConnected?: true;
  /** Which tools they have; absent where nobody has said, so that who is connected keeps what it has. */
  readonly tools?: ToolChoice;
  /** Those that were connected and are to be no more, by id. */
  readonly disconnecting?: readonly string[];
  /** Those that the person went on without, because their file could not be written, by id. */
  readonly leftOut?: readonly string[];
};

/** What the person has agreed to about what stands in the way of entries. */
export type Agreed = {
  /** Whether entries of the same names that lead elsewhere are replaced. */
  readonly replace?: true;
  /** Whether files are written that nobody may write (mode 0444). */
  readonly overwriteReadOnly?: true;
  /** What is done about a token that git would commit. */
  readonly inGit?: InGit;
};
