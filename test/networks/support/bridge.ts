import {once} from 'node:events';
import {assistantOn} from '../../bridge/support/bridge.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import type {Scene} from './run-situation.ts';

type Options = {
  /** The command in an assistant's file. By default the command that a person would type. */
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
};

/** The longest time until an assistant must hear something, in milliseconds. */
const LONGEST = 90_000;

/** Starts a bridge for the person, and an assistant that has completed the handshake with it. */
export const bridgeOf = async ({start}: Scene, {command, ...options}: Options = {}) => {
  const child = start(command ?? [process.execPath, launcher, 'mcp', 'serve', 'control-plane'], options);
  const {stdin, stdout, stderr} = child;
  if (!stdin || !stdout || !stderr) throw new Error('The bridge was started without pipes.');
  let complaint = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`The bridge exited with code ${code}: ${complaint}`);
  });
  // The bridge is killed in the end, when nothing waits for this promise any more.
  ended.catch(() => {});
  const assistant = assistantOn(stdin, stdout);
  const request: typeof assistant.request = (...of) => Promise.race([assistant.request(...of), ended]);
  const call = async () => {
    const late = AbortSignal.timeout(LONGEST);
    const silent = once(late, 'abort').then(() => {
      throw new Error(`There was no answer within ${LONGEST / 1000} s.`);
    });
    return Promise.race([request('tools/call', {name: 'list_organizations', arguments: {}}), silent]);
  };
  await Promise.race([assistant.initialize(), ended]);
  return {request, call, said: () => [...assistant.lines, complaint].join('\n')};
};
