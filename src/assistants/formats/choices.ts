import type {Scope} from '../../domain/context.ts';
import type {EntryShape} from '../assistant.ts';
import {recordIn} from './connections.ts';

/** The keys of an entry that are the person's to choose, in a file of this scope; the switch is none of them. */
export const choiceKeys = (
  {kept, keptInOwnFile = ['env', 'cwd']}: Pick<EntryShape, 'kept' | 'keptInOwnFile'>,
  scope: Scope,
): readonly string[] => (scope === 'user' ? [...kept, ...keptInOwnFile] : kept);

/** Whether the person has switched an entry off, in the words of its client. */
export const isOff = (entry: unknown, {off}: Pick<EntryShape, 'off'>): boolean =>
  off !== undefined && recordIn(entry)?.[off[0]] === off[1];
