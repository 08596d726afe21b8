import type {Disconnected} from '../../flows/assistants/entry.ts';
import {shortPath} from '../../state/stores/own-paths.ts';
import type {Terminal} from '../command.ts';

/** Says file by file what came of taking entries out, and how to have them back. */
export const tellDisconnected = (results: readonly Disconnected[], home: string, {stdout}: Terminal): void => {
  for (const {assistant, path, outcome} of results) {
    stdout.write(`${assistant}: ${says[outcome]} (${shortPath(path, home)}).\n`);
  }
  if (results.some(({outcome}) => outcome === 'removed')) stdout.write('Undo this with: npx setup undo\n');
};

const says: Readonly<Record<Disconnected['outcome'], string>> = {
  removed: 'its entries are taken out',
  absent: 'nothing of ours was there any more',
  shared: 'not kept up any more; the entries stay for another assistant that reads the same file',
};
