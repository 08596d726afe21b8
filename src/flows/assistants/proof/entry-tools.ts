import type {Run} from '../../flow.ts';
import type {ToolList} from '../../platform-tools/list-tools.ts';
import {listThrough, type TriableConnection} from './list-through.ts';

/** Programs that are started at the same time: each loads a Node, and a machine has few processors. */
const AT_ONCE = 4;

/** The tools of a server through an entry of an assistant. @throws SetupError as `listThrough` */
export type EntryTools = (connection: TriableConnection) => Promise<ToolList>;

/**
 * Looks through many entries: a few at a time, and through those that say the same once. Most assistants are given the very
 * same command.
 */
export const createEntryTools = (run: Run): EntryTools => {
  const known = new Map<string, Promise<ToolList>>();
  const waiting: (() => void)[] = [];
  let free = AT_ONCE;

  const inTurn = async (connection: TriableConnection): Promise<ToolList> => {
    if (free > 0) free -= 1;
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      return await listThrough(connection, run);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };

  return connection => {
    const key = JSON.stringify(connection);
    const tools = known.get(key) ?? inTurn(connection);
    known.set(key, tools);
    return tools;
  };
};
