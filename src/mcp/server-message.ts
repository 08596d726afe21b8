import {type IdText, isObject} from './message.ts';

/**
 * What a message from a server is: an answer to the requests of these ids, or something else, with no ids. An answer
 * that names no id has the id `null`.
 */
export type ServerMessage = {readonly answers: readonly IdText[]};

/**
 * Tells what a server's message is.
 *
 * @returns undefined for what is no JSON-RPC message
 */
export const inspect = (bytes: Buffer): ServerMessage | undefined => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return Array.isArray(value) ? inspectBatch(value) : inspectValue(value);
  } catch {
    return undefined;
  }
};

/** A batch is rare, and of the time before results were large. */
const inspectBatch = (all: readonly unknown[]): ServerMessage | undefined => {
  const found = all.flatMap(one => inspectValue(one) ?? []);
  return found.length > 0 && found.length === all.length ? {answers: found.flatMap(one => one.answers)} : undefined;
};

const inspectValue = (value: unknown): ServerMessage | undefined =>
  isObject(value)
    ? kindOf(key => Object.hasOwn(value, key), value.id === undefined ? undefined : JSON.stringify(value.id))
    : undefined;

const kindOf = (has: (key: string) => boolean, id: IdText = 'null'): ServerMessage | undefined => {
  if (has('method')) return {answers: []};
  return has('result') || has('error') ? {answers: [id]} : undefined;
};
