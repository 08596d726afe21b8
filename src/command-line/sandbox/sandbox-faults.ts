import {createInterface} from 'node:readline';
import {SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import {type FaultName, faults, isFixable} from '../../sandbox/faults.ts';
import type {Sandbox} from '../../sandbox/sandbox.ts';
import type {Terminal} from '../command.ts';
import {fitSentence} from '../output/fit-text.ts';
import {widthOf} from '../output/format-table.ts';
import {nearest} from '../parse-flags.ts';
import {bindingIn, describeBinding} from './sandbox-bindings.ts';

/**
 * The only fault that the sandbox does not simulate itself: the person's browser is not part of it. It says how to
 * simulate the fault instead.
 */
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
  const names = (text ?? '').split(',').map(name => name.trim());
  const named = names.filter(Boolean);
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
export const canFix = (inForce: readonly FaultName[]): boolean => inForce.some(isFixable);

/** Returns the faults that a line typed to a running sandbox asks to fix, or a text that says why there are none. */
export const faultsToFix = (line: string, inForce: readonly FaultName[]): readonly FaultName[] | string => {
  const name = line.trim();
  if (name === '') return inForce;
  const named = inForce.find(one => one === name);
  if (named) return [named];
  const rest = inForce.length > 0 ? `In force: ${inForce.join(', ')}.` : 'No fault is in force now.';
  const what =
    name in faults ? `${name} is not in force, so there is nothing to fix.` : `There is no fault called ${name}.`;
  return `${what} ${rest}`;
};

/**
 * Describes the result of a fix in one line.
 *
 * @param wanted the faults that were asked to be fixed
 * @param left the faults that are in force now
 * @param trust the command that makes the current certificate trusted, if that is necessary
 */
export const describeFix = (
  wanted: readonly FaultName[],
  left: readonly FaultName[],
  {noBrowser, trust}: {readonly noBrowser: boolean; readonly trust?: string},
): string => {
  const mended = wanted.filter(isFixable);
  // While the sandbox presents an expired certificate, `trust` is undefined: trusting that one would not help.
  const instead = trust === undefined ? '' : ` (trust its certificate: ${trust})`;
  const others = [
    ...left.map(name => (isFixable(name) ? name : `${name}${instead}`)),
    ...(noBrowser ? [`${noBrowserFault.name} (leave --no-browser out in the other terminal)`] : []),
  ];
  return [
    mended.length > 0 ? `Fixed: ${mended.join(', ')}.` : 'Nothing was fixed.',
    others.length > 0 ? `Not fixed: ${others.join(', ')}.` : 'No fault is in force now.',
  ].join(' ');
};

/** Returns all faults, for the help. */
export const faultHelp = (): string => {
  const width = Math.max(...Object.keys(known).map(name => name.length));
  const lines = Object.entries(known).map(([name, sentence]) => `  ${name.padEnd(width)}  ${sentence}`);
  return `Faults\n${lines.join('\n')}\n`;
};

type Options = {
  readonly sandbox: Sandbox;
  readonly terminal: Pick<Terminal, 'stdin' | 'stdout' | 'raw'>;
  /** Returns the command that makes the sandbox's current certificate trusted; undefined if that is not necessary. */
  readonly trust: () => Promise<string | undefined>;
  readonly noBrowser: boolean;
  /** Explains in a sentence why a fix failed. */
  readonly explain: (error: unknown) => Promise<string>;
};

/**
 * Lets a person at the terminal of a sandbox act as its operators would: Enter fixes everything, the name of a fault
 * fixes that one, `bind` gives a role, `new keys` renews the identity provider's signing key. Each line gets one line
 * in answer, in order, until the function is stopped or standard input ends.
 *
 * @returns the function that stops it
 */
export const listenForFaultKeys = ({sandbox, terminal, trust, noBrowser, explain}: Options): (() => void) => {
  const say = (text: string) => void terminal.stdout.write(`${fitSentence(text, widthOf(terminal))}\n`);
  const bind = async (line: string) => {
    const binding = bindingIn(line);
    if (binding === undefined || typeof binding === 'string') return binding;
    try {
      sandbox.bind(binding);
      return describeBinding(binding, sandbox.ready);
    } catch (error) {
      return `Not bound. ${await explain(error)}`;
    }
  };
  const answer = async (line: string) => {
    const bound = await bind(line);
    if (bound !== undefined) return say(bound);
    if (line.trim() === 'new keys') {
      await sandbox.renewKeys();
      return say(
        'The identity provider signs with a new key. The servers refuse access tokens signed with the old one.',
      );
    }
    const wanted = faultsToFix(line, sandbox.ready.faults);
    if (typeof wanted === 'string') return say(wanted);
    try {
      await sandbox.mend(wanted);
    } catch (error) {
      return say(`Not fixed. ${await explain(error)}`);
    }
    const command = await trust();
    say(describeFix(wanted, sandbox.ready.faults, {noBrowser, ...(command === undefined ? {} : {trust: command})}));
  };

  // The terminal stays in its usual mode: it edits and shows the line, and Ctrl-C still sends a signal.
  const lines = createInterface({input: terminal.stdin, terminal: false});
  let answered = Promise.resolve();
  lines.on('line', line => {
    answered = answered.then(() => answer(line));
  });
  return () => lines.close();
};
