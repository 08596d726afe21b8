import type {Scope} from '../domain/context.ts';
import type {Assistant} from './assistant.ts';
import type {Place} from './place.ts';

/**
 * Returns the scope in which an assistant can be connected: the wanted one if it has a file for that, otherwise the
 * other.
 */
export const scopeFor = (assistant: Assistant, wanted: Scope, place: Place): Scope => {
  if (assistant.files(wanted, place).length > 0) return wanted;
  return wanted === 'user' ? 'project' : 'user';
};
