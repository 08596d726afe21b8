import type {Disconnected} from '../../flows/assistants/disconnect-assistants.ts';
import {SETUP} from '../../setup-command.ts';
import {shortPath} from '../../state/stores/own-paths.ts';
import type {Terminal} from '../command.ts';

/** Prints for each file what became of its entries, and how to restore them. */
export const tellDisconnected = (results: readonly Disconnected[], home: string, {stdout}: Terminal): void => {
  for (const {assistant, path, outcome, ignoreFile} of results) {
    stdout.tell(`${assistant}: ${says[outcome]} (${shortPath(path, home)}).\n`);
    if (ignoreFile !== undefined)
      stdout.tell(`${shortPath(ignoreFile, home)}: the line for ${shortPath(path, home)} was removed.\n`);
  }
  if (results.some(({outcome, ignoreFile}) => outcome === 'removed' || ignoreFile !== undefined))
    stdout.tell(`To undo this, run ${SETUP} undo\n`);
};

const says: Readonly<Record<Disconnected['outcome'], string>> = {
  removed: 'entries removed',
  absent: 'its entries were already gone',
  left: 'disconnected; its entries stay, because they were changed since',
  shared: 'disconnected; the entries stay, because another assistant reads the same file',
};
