import {expect} from 'vitest';
import {platformForTest} from '../../e2e/support/platform.ts';
import {clientOf} from '../../support/platform.ts';
import {expectDone} from './expect-done.ts';
import type {Machine} from './machine.ts';
import type {Newest} from './registry.ts';

/** Starts a platform, and returns functions that sign a service account in to it. */
export const platformFor = async ({project, start}: Machine) => {
  const {ready, flags} = await platformForTest();
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const account = {CLI_CLIENT_ID: clientId, CLI_CLIENT_SECRET: secret};
  const where = ['--project', project, '--assistants', 'generic', '--method', 'bridge', '--context', 'acme'];
  return {
    /** Sets up with the first version, and has the entries verified. */
    setUp: async () => {
      const run = await start('first', ['--yes', '--sign-in', 'service-account', ...flags, ...where], account);
      expectDone(run);
      expect(run.stdout).toMatch(/MCP JSON: control plane \d+ tools/);
    },
    /** Signs in with another version, which renews the entries. */
    signIn: async (newest: Newest) => expectDone(await start(newest, ['login', '--context', 'acme'], account)),
  };
};
