import {once} from 'node:events';
import {assistantOn} from '../../bridge/support/bridge.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import type {Scene} from './run-situation.ts';

type Options = {
  /** As an assistant's file has it; by default as it is called by hand. */
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
};

/** An assistant has to hear something by then, whatever the network does. In ms. */
const LONGEST = 90_000;

/** A bridge of the person's, with an assistant that has greeted it. */
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
  // It is killed in the end, and nobody waits for it then.
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
