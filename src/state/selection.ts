import type {Method, Scope} from '../domain/assistant-entry.ts';
import type {ToolChoice} from '../domain/tool-sets.ts';

/** Which assistants are connected, in which of their files, and how that is kept up. */
export type AssistantSelection = {
  /** By id; `detected` for those that were found, or any client's own file where none was. */
  readonly assistants: readonly string[] | 'detected';
  readonly scope: Scope;
  readonly method: Method | 'auto';
  /** Which tools they have; absent where nobody has said, so that who is connected keeps what it has. */
  readonly tools?: ToolChoice;
  /** Those that were connected and are to be no more, by id. */
  readonly disconnecting?: readonly string[];
};
