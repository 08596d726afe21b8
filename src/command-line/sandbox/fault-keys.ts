import {createInterface} from 'node:readline';
import type {Sandbox} from '../../sandbox/sandbox.ts';
import type {Terminal} from '../command.ts';
import {fitSentence} from '../output/fit-text.ts';
import {widthOf} from '../output/format-table.ts';
import {bindingIn, describeBinding} from './sandbox-bindings.ts';
import {describeMending, mendingIn} from './sandbox-faults.ts';

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
      return say('The identity provider signs with another key. Access tokens signed with the old one are refused.');
    }
    const wanted = mendingIn(line, sandbox.ready.faults);
    if (typeof wanted === 'string') return say(wanted);
    try {
      await sandbox.mend(wanted);
    } catch (error) {
      return say(`Not fixed. ${await explain(error)}`);
    }
    const command = await trust();
    say(describeMending(wanted, sandbox.ready.faults, {noBrowser, ...(command === undefined ? {} : {trust: command})}));
  };

  // The terminal stays in its usual mode: it edits and shows the line, and Ctrl-C still sends a signal.
  const lines = createInterface({input: terminal.stdin, terminal: false});
  let answered = Promise.resolve();
  lines.on('line', line => {
    answered = answered.then(() => answer(line));
  });
  return () => lines.close();
};
