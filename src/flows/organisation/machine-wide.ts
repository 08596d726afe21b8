import type {Place, System} from '../../assistants/place.ts';
import type {OwnCommand} from '../../domain/own-command.ts';

/** Where this program is on every machine of an organisation, by the system of the machine. */
const prefixes = {
  linux: '/opt/platform-setup',
  darwin: '/opt/platform-setup',
  win32: 'C:\\Program Files\\platform-setup',
};

/** The directory into which the program is installed on every machine, absolute. */
export const prefixOn = (system: System): string => prefixes[system];

/**
 * How an entry that is the same on every machine starts this program: by paths that npm makes below one prefix, and the
 * Node beside it. Nothing is looked for on PATH.
 */
export const machineWideCommand = (system: System): OwnCommand => {
  const prefix = prefixOn(system);
  return system === 'win32'
    ? {command: `${prefix}\\node.exe`, args: [`${prefix}\\node_modules\\platform-setup\\bin\\setup.js`]}
    : {command: `${prefix}/bin/node`, args: [`${prefix}/lib/node_modules/platform-setup/bin/setup.js`]};
};

/** A machine of a system as an administrator sees it: nobody's home, and no variables. */
export const anyMachine = (system: System): Place => {
  const nowhere = system === 'win32' ? 'C:\\nobody' : '/nobody';
  return {home: nowhere, project: nowhere, system, env: {}};
};
