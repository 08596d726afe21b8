import type {Scope} from '../../domain/assistant-entry.ts';
import type {EntryShape} from '../assistant.ts';
import {recordIn} from './connections.ts';

type Choices = Pick<EntryShape, 'kept' | 'keptInOwnFile' | 'off'>;

/** An entry that replaces another of ours, with the choices that were made in that one: an entry that was off stays so. */
export const keepChoices = (entry: object, present: unknown, shape: Choices, scope: Scope): object => {
  const keys = choiceKeys(shape, scope);
  const chosen = Object.entries(recordIn(present) ?? {}).filter(([key]) => keys.includes(key));
  const {off} = shape;
  return {...entry, ...Object.fromEntries(chosen), ...(off && isOff(present, shape) ? {[off[0]]: off[1]} : {})};
};

/** The keys of an entry that are the person's to choose, in a file of this scope; the switch is none of them. */
export const choiceKeys = ({kept, keptInOwnFile = ['env', 'cwd']}: Choices, scope: Scope): readonly string[] =>
  scope === 'user' ? [...kept, ...keptInOwnFile] : kept;

/** Whether the person has switched an entry off, in the words of its client. */
export const isOff = (entry: unknown, {off}: Pick<EntryShape, 'off'>): boolean =>
  off !== undefined && recordIn(entry)?.[off[0]] === off[1];
