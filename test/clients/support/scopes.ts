import {existsSync, mkdirSync, readFileSync, renameSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {expectSeen} from './expect-seen.ts';
import type {Installed} from './install.ts';
import {type Living, testLifecycle} from './lifecycle.ts';
import {type Machine, machineWith} from './machine.ts';

type Scoped = Living & {
  /** What the servers see of it: see `expectSeen`. Of a client that tells what it read and does not connect, nothing. */
  readonly seenAs: 'never' | readonly [client: string, rpcs?: readonly string[], more?: {readonly asksFirst?: true}];
  /** It is connected only where its file is there. */
  readonly makesNone?: true;
  /** What it asks of the person before it starts what a project names. */
  approve?(machine: Machine): Promise<unknown>;
  /** Has it say that both servers are connected. */
  expectConnected(machine: Machine): Promise<void>;
};

/** Gives a project the file that a client wrote, which without a terminal takes the person's alone. */
export const moveToProject = ({home, project}: Machine, from: string, to: string) => {
  mkdirSync(dirname(join(project, to)), {recursive: true});
  renameSync(join(home, from), join(project, to));
};

/**
 * In each scope and by both methods: beside an entry that the client wrote itself it connects to both servers, and once
 * disconnected, its file is what it was, to the byte. Where there was no file, there is none.
 */
export const testScopes = (installed: Installed, scoped: Scoped) => {
  const {assistant, seenAs, files, ownFiles = files, makesNone, own, approve, expectConnected} = scoped;
  testLifecycle(installed, scoped);

  const cases = (['user', 'project'] as const).flatMap(scope =>
    files[scope] === undefined
      ? []
      : (['bridge', 'header'] as const).map(method => ({scope, method, file: files[scope]})),
  );

  test.for(cases)('connects beside what it wrote itself, $scope scope, method $method', async ({scope, method}) => {
    const machine = await machineWith(installed);
    const path = join(scope === 'user' ? machine.home : machine.project, ownFiles[scope] ?? '');
    await own(machine, scope);
    const before = readFileSync(path, 'utf8');
    await machine.connect(assistant, '--scope', scope, '--method', method);
    if (scope === 'project') await approve?.(machine);
    for (const server of Object.values(machine.servers)) server.forget();
    await expectConnected(machine);
    if (seenAs !== 'never') expectSeen(machine, ...seenAs);
    await machine.disconnect(assistant);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  test.for(cases.filter(({method}) => method === 'bridge' && !makesNone))(
    'leaves no file of its own, $scope scope',
    async ({scope, method, file}) => {
      const machine = await machineWith(installed);
      const path = join(scope === 'user' ? machine.home : machine.project, file ?? '');
      await machine.connect(assistant, '--scope', scope, '--method', method);
      expect(existsSync(path)).toBe(true);
      await machine.disconnect(assistant);
      expect(existsSync(path)).toBe(false);
    },
  );
};
