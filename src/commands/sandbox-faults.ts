import {SetupError} from '../errors.ts';
import {type FaultName, faults} from '../sandbox/faults.ts';
import {nearest} from './parse-flags.ts';

/** The one fault that is not the platform's but the person's machine's. A sandbox can only say how to have it over there. */
const noBrowser = {name: 'no-browser', sentence: 'The browser does not open: pass --no-browser in the other terminal.'};

const known: Readonly<Record<string, string>> = {...faults, [noBrowser.name]: noBrowser.sentence};

export type WantedFaults = {
  /** The platform's. */
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
        remedy: meant ? `Did you mean ${meant}?` : 'See setup sandbox --help for what each of them does.',
      },
    );
  }
  return {names: named.filter(isPlatforms), noBrowser: named.includes(noBrowser.name)};
};

const isPlatforms = (name: string): name is FaultName => Object.hasOwn(faults, name);

/** What is wrong in a sandbox with these faults: each with its sentence. */
export const faultLines = (wanted: WantedFaults): readonly (readonly [string, string])[] => [
  ...wanted.names.map(name => [name, faults[name]] as const),
  ...(wanted.noBrowser ? [[noBrowser.name, noBrowser.sentence] as const] : []),
];

/** All faults, for the help. */
export const faultHelp = (): string => {
  const width = Math.max(...Object.keys(known).map(name => name.length));
  const lines = Object.entries(known).map(([name, sentence]) => `  ${name.padEnd(width)}  ${sentence}`);
  return `Faults\n${lines.join('\n')}\n`;
};
