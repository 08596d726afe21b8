import type {Scope} from '../../domain/context.ts';
import type {EntryShape} from '../assistant.ts';
import {recordIn} from './connections.ts';

/**
 * Returns the keys of an entry that the person may choose in a file of this scope. The switch (`off`) is not among
 * them.
 */
export const choiceKeys = (
  {preserved, preservedInOwnFile = ['env', 'cwd']}: Pick<EntryShape, 'preserved' | 'preservedInOwnFile'>,
  scope: Scope,
): readonly string[] => (scope === 'user' ? [...preserved, ...preservedInOwnFile] : preserved);

/** Whether the person has switched an entry off with the client's own key. */
export const isOff = (entry: unknown, {off}: Pick<EntryShape, 'off'>): boolean =>
  off !== undefined && recordIn(entry)?.[off[0]] === off[1];
