import {expect, test} from 'vitest';
import {findOwnCli} from '../../../src/flows/own-cli/own-cli-file.ts';
import {openchoreo} from '../../../src/platform/platforms.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {collect} from '../../support/flows.ts';
import {systemHere} from '../../support/systems/system-here.ts';
import {homeWith} from './support/home.ts';

/** Looks for the CLI on a machine whose PATH has these programs, and records which programs were looked for. */
const found = async (text: string | undefined, programs: readonly string[]) => {
  const {home, ports} = await homeWith(text);
  const lookedFor: string[] = [];
  const find: Ports['processes']['find'] = async name => {
    lookedFor.push(name);
    return programs.includes(name) ? `/opt/bin/${name}` : undefined;
  };
  const place = {home, project: home, system: systemHere, env: {}} as const;
  const run = () => Promise.reject(new Error('Nothing is to be run.'));
  const changed: Ports = {...ports, processes: {...ports.processes, find, run, runLine: run, open: run}};
  const {result} = await collect(findOwnCli, {platform: openchoreo, place}, changed);
  return {...result, lookedFor};
};

test('the CLI is here where its file is, and nothing is looked for then', async () => {
  expect(await found('', [])).toEqual({installed: true, lookedFor: []});
});

test.each([
  [['occ'], true],
  [['kubectl'], false],
] as const)('else its program is looked for, and not run (%j)', async (programs, installed) => {
  expect(await found(undefined, programs)).toEqual({installed, lookedFor: ['occ']});
});
