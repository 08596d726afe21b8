import type {AccountPurpose, Method, Scope} from '../domain/context.ts';
import type {ToolChoice} from '../domain/tool-sets.ts';
import type {InGit} from '../flows/assistants/plan-files.ts';

/** As whom assistants act: as the person, or with an account of their own for a purpose. */
export type ActsAs = 'you' | AccountPurpose;

/** The choice of assistants, where their entries are written, and how these stay signed in. */
export type AssistantSelection = {
  /** Their IDs. `detected`: those that were found, or the file for any client if none was. */
  readonly assistants: readonly string[] | 'detected';
  readonly scope: Scope;
  /** True if entries in a project are for everybody who works in it, and therefore name nothing of this machine. */
  readonly isShared?: true;
  readonly method: Method | 'auto';
  /** True if the connected assistants stay as they are; scope and method then apply to the others. */
  readonly keepsConnected?: true;
  /** Their tools. Absent if the person did not choose: connected assistants keep the tools that they have. */
  readonly tools?: ToolChoice;
  /** As whom they act. Absent if the person did not choose: as before, and at first as the person. */
  readonly actsAs?: ActsAs;
  /** The IDs of the assistants that are connected and have to be disconnected. */
  readonly disconnecting?: readonly string[];
  /** The IDs of the assistants that the person left out because their file could not be written. */
  readonly leftOut?: readonly string[];
};

/** The person's answers about obstacles to writing entries. */
export type Agreed = {
  /** True if entries of the same names that lead elsewhere are replaced. */
  readonly replace?: true;
  /** True if read-only files (mode 0444) are overwritten. */
  readonly overwriteReadOnly?: true;
  /** The choice about a token that git would commit. */
  readonly inGit?: InGit;
};

/**
 * Returns the person's answers about obstacles to writing entries. An answer to a question takes precedence over a flag
 * of the command line.
 */
export const agreedIn = ({
  answers,
  settings,
}: {
  readonly answers: Agreed;
  readonly settings: Agreed;
}): Required<{[Key in keyof Agreed]: Key extends 'inGit' ? InGit : boolean}> => ({
  replace: answers.replace ?? settings.replace ?? false,
  overwriteReadOnly: answers.overwriteReadOnly ?? settings.overwriteReadOnly ?? false,
  inGit: answers.inGit ?? settings.inGit ?? 'refuse',
});
