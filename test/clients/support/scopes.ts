import {existsSync, mkdirSync, readFileSync, renameSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {expectSeen} from './expect-seen.ts';
import type {Installed} from './install.ts';
import {type Living, testLifecycle} from './lifecycle.ts';
import {type Machine, machineWith} from './machine.ts';

type Scoped = Living & {
  /**
   * What the servers see of the client: see `expectSeen`. `never` for a client that only lists what it read and does
   * not connect.
   */
  readonly seenAs: 'never' | readonly [client: string, rpcs?: readonly string[], more?: {readonly asksFirst?: true}];
  /** True if the client is connected only if its file exists. */
  readonly makesNone?: true;
  /** Approves the servers of a project, if the client asks the person for that. */
  approve?(machine: Machine): Promise<unknown>;
  /** Checks that the client reports both servers as connected. */
  expectConnected(machine: Machine): Promise<void>;
};

/** Moves a file that a client wrote from the home to a project: without a terminal the client uses only the home. */
export const moveToProject = ({home, project}: Machine, from: string, to: string) => {
  mkdirSync(dirname(join(project, to)), {recursive: true});
  renameSync(join(home, from), join(project, to));
};

/**
 * Tests each scope and both methods: beside an entry of its own, the client connects to both servers. After a
 * disconnection its file is as before, to the byte. If there was no file, there is none.
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
