import {expect, test} from 'vitest';
import type {Platform} from '../../../../src/platform/platform.ts';
import {clusterAuthority} from '../../../../src/state/steps/deployment/cluster-authority.ts';
import {portsIn} from '../../../support/place.ts';
import {at} from '../../../support/states.ts';
import {runStep} from '../../../support/step-run.ts';

const start = at['find-deployment'];
const wanted = {...start, answers: {authority: 'cluster'}} as const;

test('the authority is read where the person wants that, once', () => {
  expect([clusterAuthority.when(wanted), clusterAuthority.when(start)]).toEqual([true, false]);
  expect(clusterAuthority.when({...start, answers: {authority: {pem: 'PEM'}}})).toBe(false);
  expect(clusterAuthority.done(wanted)).toBe(false);
  expect(clusterAuthority.done({...wanted, facts: {clusterAuthority: {pem: 'PEM'}}})).toBe(true);
  expect(clusterAuthority.forgets).toEqual({answers: ['authority'], facts: ['clusterAuthority']});
});

test('it comes from the Secret of the first kind of platform that has one', async () => {
  const {platform} = start.settings;
  const kind = (authority?: object) =>
    ({...platform, cluster: {...platform.cluster, authority}}) as unknown as Platform;
  const pem = '-----BEGIN CERTIFICATE-----\n';
  const calls: (readonly string[])[] = [];
  const run = async (_: string, args: readonly string[]) => {
    calls.push(args);
    const data = {'ca.crt': Buffer.from(pem).toString('base64')};
    return {outcome: 'exited', code: 0, stdout: JSON.stringify({data}), stderr: ''};
  };
  const ports = {...portsIn('/nowhere'), processes: {run}} as never;
  const kinds = [kind(), kind({namespace: 'gateway', name: 'authority'})];
  const state = {...wanted, settings: {...start.settings, kinds}};
  expect((await runStep(clusterAuthority, state, ports)).result).toEqual({clusterAuthority: {pem}});
  expect(calls[0]).toEqual(expect.arrayContaining(['authority', '--namespace=gateway']));
  const without = {...wanted, settings: {...start.settings, kinds: [kind()]}};
  await expect(runStep(clusterAuthority, without, ports)).rejects.toThrow('where a kind of platform has one');
});

test('where it cannot be read, another way to trust is chosen', () => {
  const failure = {step: 'cluster-authority', whose: 'you', headline: 'It failed', message: '', remedy: ''} as const;
  expect(clusterAuthority.recovery(start, {...failure, code: 'local-authority-missing'}).offers).toEqual([
    {label: 'Choose again whom to trust', event: {type: 'went-back', to: 'cluster-authority'}},
  ]);
  expect(clusterAuthority.recovery(start, {...failure, code: 'bug'}).offers).toEqual([]);
});
