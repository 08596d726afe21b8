import {expect, test} from 'vitest';
import {verifyRenewal} from '../../../src/flows/sign-in/resume-sign-in.ts';
import type {ProcessResult} from '../../../src/ports/ports.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {worded} from '../../support/worded.ts';

const own = {command: '/usr/bin/node', args: ['/opt/setup.js'], home: '/home/ann/setup'};

/** Runs the proof with a program that ends in this way, and records what was started. */
const prove = async (result: ProcessResult) => {
  const started: unknown[] = [];
  const ports = await temporaryPorts();
  const run = async (...what: readonly unknown[]) => {
    started.push(what);
    return result;
  };
  return {
    proof: collect(verifyRenewal, {own, context: {name: 'acme'}}, {...ports, processes: {...ports.processes, run}}),
    started,
  };
};

test('the entry’s own program renews, with what an assistant gives it', async () => {
  const {proof, started} = await prove({outcome: 'exited', code: 0, stdout: 'eyJ', stderr: ''});
  await proof;
  const args = ['/opt/setup.js', 'token', '--renew', '--context', 'acme', '--setup-home', '/home/ann/setup'];
  expect(started).toEqual([['/usr/bin/node', args, expect.objectContaining({environment: 'assistant'})]]);
});

test.each<[string, ProcessResult, string]>([
  [
    'what it said',
    {outcome: 'exited', code: 3, stdout: '', stderr: 'The proxy is not there.\n'},
    'The proxy is not there.',
  ],
  [
    'how it ended where it said nothing',
    {outcome: 'exited', code: 3, stdout: '', stderr: ' \n'},
    'it exited with code 3.',
  ],
  ['how long it was waited for', {outcome: 'timed-out'}, 'it did not finish within 45 s.'],
  ['what is missing', {outcome: 'missing'}, '/usr/bin/node was not found.'],
])('a renewal that fails is told with %s', async (_name, result, reason) => {
  const {proof} = await prove(result);
  await expect(worded(proof)).rejects.toMatchObject({
    code: 'local-entry-failed',
    message: `The program that your assistants start can’t renew your sign-in: ${reason}`,
    remedy: expect.stringContaining('npx setup doctor'),
  });
});
