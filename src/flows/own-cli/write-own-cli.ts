import {whileNobodyWrites} from '../entries-lock.ts';
import type {Flow} from '../flow.ts';
import {readPlanned, writePlanned} from '../write-planned.ts';
import type {PlannedCli} from './plan-own-cli.ts';

type Input = {
  /** The name of the context that the CLI is signed in to. */
  readonly context: string;
  readonly planned: PlannedCli;
};

/**
 * Writes the file of the platform's own CLI as it was planned, readable by its owner only, after what is to be known of
 * it. The sign-in is kept by then. Returns the path.
 *
 * @throws SetupError `local-file-changed`, `local-write-failed`, `local-locked`
 */
export const writeOwnCli: Flow<Input, string> = (input, run) => whileNobodyWrites(run, held => write(input, held));

const write: Flow<Input, string> = async ({context, planned}, {ports, tell}) => {
  const {file, record} = planned;
  const {path, change} = file;
  // Also of a file that is not going to change: the sign-in may have been taken out of it meanwhile.
  await readPlanned({...file, change: 'changed'}, ports);
  await ports.config.saveCli(context, record);
  await writePlanned(file, ports);
  tell({type: 'file-written', path, change});
  return path;
};
