import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import type {Platform} from './platform.ts';
import {runSetup, startSetup, surroundingsForTest} from './run.ts';
import {addressFrom, signInAndReturn} from './sign-in/sign-in.ts';
import {storeIn} from './store.ts';

/** Sets up a person's machine after a setup through the browser: their home, and a project with its MCP JSON. */
export const connected = async ({flags}: Platform) => {
  const surroundings = surroundingsForTest();
  const store = storeIn(surroundings.setupHome);
  const project = join(surroundings.home, 'project');
  mkdirSync(project);
  const args = ['--yes', '--sign-in', 'browser', '--no-browser', '--method', 'header', '--project', project, ...flags];
  const run = startSetup(args, {surroundings});
  await signInAndReturn(await addressFrom(run));
  expect(await run.ended).toMatchObject({code: 0, stderr: ''});
  return {
    surroundings,
    store,
    project,
    run: (...args: readonly string[]) => runSetup(args, {surroundings}),
    /** Returns the Authorization header of every entry in the MCP JSON. */
    authorizations: (): readonly string[] => {
      const {mcpServers}: {mcpServers: Readonly<Record<string, Entry>>} = JSON.parse(
        readFileSync(join(project, '.mcp.json'), 'utf8'),
      );
      return Object.values(mcpServers).map(({headers}) => headers.Authorization);
    },
  };
};

type Entry = {readonly headers: {readonly Authorization: string}};
