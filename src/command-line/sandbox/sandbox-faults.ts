import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import {type FaultName, faults, isMendable} from '../../sandbox/faults.ts';
import {nearest} from '../parse-flags.ts';

/** The only fault of the person's machine, not of the platform. A sandbox can only say how to simulate it there. */
const noBrowserFault = {
  name: 'no-browser',
  sentence: 'The browser does not open: pass --no-browser in the other terminal.',
};

const known: Readonly<Record<string, string>> = {...faults, [noBrowserFault.name]: noBrowserFault.sentence};

/** The names that `--fault` takes. */
export const faultNames: readonly string[] = Object.keys(known);

export type WantedFaults = {
  /** The faults that the sandbox itself simulates. */
  readonly names: readonly FaultName[];
  readonly noBrowser: boolean;
};

/**
 * Reads `--fault`: names of faults with commas between them.
 *
 * @throws SetupError `input-invalid` for a fault that does not exist, with the one that was probably meant
 */
export const faultsIn = async (text: string | undefined): Promise<WantedFaults> => {
  const given = (text ?? '').split(',').map(name => name.trim());
  const named = given.filter(Boolean);
  for (const name of named) {
    if (Object.hasOwn(known, name)) continue;
    const meant = await nearest(name, Object.keys(known));
    throw new SetupError(
      'input-invalid',
      `There is no fault called ${name}. Known: ${Object.keys(known).join(', ')}.`,
      {
        remedy: meant
          ? `Did you mean ${meant}?`
          : phrase`See ${setup('sandbox', '--help')} for what each of them does.`,
      },
    );
  }
  return {names: named.filter(isPlatforms), noBrowser: named.includes(noBrowserFault.name)};
};

const isPlatforms = (name: string): name is FaultName => Object.hasOwn(faults, name);

/** Returns the faults of a sandbox, each with its sentence. */
export const faultLines = (wanted: WantedFaults): readonly (readonly [string, string])[] => [
  ...wanted.names.map(name => [name, faults[name]] as const),
  ...(wanted.noBrowser ? [[noBrowserFault.name, noBrowserFault.sentence] as const] : []),
];

/** Whether Enter would fix anything in a sandbox with these faults. */
export const canMend = (inForce: readonly FaultName[]): boolean => inForce.some(isMendable);

/** Returns the faults that a line typed to a running sandbox asks to fix, or a text that says why there are none. */
export const mendingIn = (line: string, inForce: readonly FaultName[]): readonly FaultName[] | string => {
  const name = line.trim();
  if (name === '') return inForce;
  const named = inForce.find(one => one === name);
  if (named) return [named];
  const rest = inForce.length > 0 ? `In force: ${inForce.join(', ')}.` : 'Nothing is wrong with it now.';
  const what =
    name in faults ? `${name} is not in force, so there is nothing to fix.` : `There is no fault called ${name}.`;
  return `${what} ${rest}`;
};

/**
 * Describes the result in one line.
 *
 * @param wanted the faults that were asked to be fixed
 * @param left the faults that are in force now
 * @param trust the command that makes the current certificate trusted, if that is necessary
 */
export const describeMending = (
  wanted: readonly FaultName[],
  left: readonly FaultName[],
  {noBrowser, trust}: {readonly noBrowser: boolean; readonly trust?: string},
): string => {
  const mended = wanted.filter(isMendable);
  // As long as an expired certificate is shown, there is none to trust yet.
  const instead = trust === undefined ? '' : ` (trust its certificate: ${trust})`;
  const others = [
    ...left.map(name => (isMendable(name) ? name : `${name}${instead}`)),
    ...(noBrowser ? [`${noBrowserFault.name} (leave --no-browser out in the other terminal)`] : []),
  ];
  return [
    mended.length > 0 ? `Fixed: ${mended.join(', ')}.` : 'Nothing was fixed.',
    others.length > 0 ? `Not fixed: ${others.join(', ')}.` : 'Nothing is wrong with it now.',
  ].join(' ');
};

/** Returns all faults, for the help. */
export const faultHelp = (): string => {
  const width = Math.max(...Object.keys(known).map(name => name.length));
  const lines = Object.entries(known).map(([name, sentence]) => `  ${name.padEnd(width)}  ${sentence}`);
  return `Faults\n${lines.join('\n')}\n`;
};
