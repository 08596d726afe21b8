import {basename, dirname} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {ProcessName} from '../../../src/domain/credentials.ts';
import {acquireLease} from '../../../src/flows/sign-in/refresh-lease.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {portsIn, temporaryDirectory, temporaryPorts} from '../../support/place.ts';

describe('the right to send a refresh token', () => {
  test('is one process’s, however many want it at once', async () => {
    const home = await temporaryDirectory();
    const ports = portsIn(home);
    const as = (pid: number): Ports => ({
      ...ports,
      processes: {...ports.processes, self: () => ({pid, host: 'here'}), isRunning: () => true},
    });
    const all = await Promise.all(Array.from({length: 20}, (_, pid) => acquireLease('r', as(pid))));
    expect(all.filter(one => 'release' in one)).toHaveLength(1);
  });

  test('is taken over from one that has ended by one of those who come', async () => {
    const home = await temporaryDirectory();
    const ports = portsIn(home);
    const as = (pid: number): Ports => ({
      ...ports,
      processes: {...ports.processes, self: () => ({pid, host: 'here'}), isRunning: ({pid}) => pid !== 99},
    });
    await acquireLease('r', as(99));
    const all = await Promise.all(Array.from({length: 20}, (_, pid) => acquireLease('r', as(pid))));
    expect(all.filter(one => 'release' in one)).toMatchObject([{unanswered: 1}]);
  });

  test('is free again when it is given back', async () => {
    const ports = portsIn(await temporaryDirectory());
    const lease = await acquireLease('r', ports);
    if ('release' in lease) await lease.release();
    expect(await acquireLease('r', ports)).toMatchObject({unanswered: 0});
  });

  const own: ProcessName = {pid: 7, host: 'here', started: '100'};
  const now = 1_000_000_000;

  /**
   * Tries to acquire the lease of a refresh token if these leases exist. Without `isRunning` it is unknown whether
   * their processes run.
   */
  const acquiring = async (found: readonly unknown[], isRunning?: boolean) => {
    const ports = await temporaryPorts();
    const contents = found.map(one => (typeof one === 'string' ? one : JSON.stringify(one)));
    const files = new Map<string, string>();
    const removed: string[] = [];
    const exclusiveFiles: Ports['exclusiveFiles'] = {
      ...ports.exclusiveFiles,
      read: async path => contents[Number(/\d+$/.exec(path))] ?? files.get(path),
      create: async (path, text) => {
        files.set(path, text);
        return true;
      },
      remove: async path => void removed.push(path),
    };
    const lease = await acquireLease('refresh-0', {
      ...ports,
      exclusiveFiles,
      clock: {...ports.clock, now: () => now},
      processes: {...ports.processes, self: () => own, isRunning: () => isRunning},
    });
    return {lease, files, removed, home: dirname(ports.credentials.path)};
  };

  const by = (more: Partial<ProcessName>, at = now) => ({process: {...own, ...more}, at});

  test.each<[string, readonly unknown[], boolean | undefined]>([
    ['runs', [by({pid: 8}, 0)], true],
    ['began within two minutes, as far as is known', [by({host: 'there'}, now - 119_999)], undefined],
    ['came after one that has ended', ['', by({pid: 8})], true],
    ['has the same number on another machine', [by({host: 'there'})], undefined],
    ['had the same number before', [by({started: '99'})], true],
  ])('stays with a process that %s', async (_what, found, isRunning) => {
    const {lease, files} = await acquiring(found, isRunning);
    expect(lease).toEqual({holder: found.at(-1)});
    expect(files.size).toBe(0);
  });

  test.each<[string, readonly unknown[], boolean | undefined]>([
    ['has ended', [by({pid: 8})], false],
    ['began two minutes ago, as far as is known', [by({host: 'there'}, now - 120_000)], undefined],
    ['is this one, and came to no end', [by({})], true],
    ['left something else', ['{"process": {"pid": "8"}, "at": 1}'], true],
    ['left half of it', ['{"process'], true],
  ])('is taken over from one that %s, which got no answer', async (_what, found, isRunning) => {
    const {lease, files, removed, home} = await acquiring(found, isRunning);
    expect(lease).toMatchObject({unanswered: 1});
    const [[path = '', text = ''] = []] = files;
    expect(JSON.parse(text)).toEqual(by({}));
    // The file name does not reveal the token.
    expect([dirname(path), basename(path)]).toEqual([home, expect.stringMatching(/^renewing-[\w-]+-1$/)]);
    expect(path).not.toContain('refresh-0');
    if ('release' in lease) await lease.release();
    expect(removed).toEqual([path, path.replace(/1$/, '0')]);
  });
});
