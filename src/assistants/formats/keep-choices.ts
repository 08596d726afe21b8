import type {EntryShape} from '../assistant.ts';
import {recordIn} from './connections.ts';

/** An entry that replaces another of ours, with the choices that were made in that one. */
export const keepChoices = (entry: object, present: unknown, {kept}: Pick<EntryShape, 'kept'>): object => {
  const chosen = Object.entries(recordIn(present) ?? {}).filter(([key]) => kept.includes(key));
  return {...entry, ...Object.fromEntries(chosen)};
};
