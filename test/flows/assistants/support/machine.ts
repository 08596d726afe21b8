import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {allAssistants} from '../../../../src/assistants/catalogue/all.ts';
import type {Place} from '../../../../src/assistants/place.ts';
import type {Context, Method, Scope} from '../../../../src/domain/context.ts';
import {Secret} from '../../../../src/domain/secret.ts';
import {disconnectAssistants} from '../../../../src/flows/assistants/disconnect-assistants.ts';
import {planFiles} from '../../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../../src/flows/assistants/write-files.ts';
import type {Ports} from '../../../../src/ports/ports.ts';
import {collect} from '../../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../../support/place.ts';
import {systemHere} from '../../../support/systems/system-here.ts';

export const jwt = (exp: number) =>
  ['{"alg":"none"}', JSON.stringify({exp}), 'signature-of-it']
    .map(part => Buffer.from(part).toString('base64url'))
    .join('.');

export const context: Context = {
  name: 'acme',
  platform: 'bundled',
  baseDomain: 'acme.localhost',
  layout: 'single',
  controlPlaneUrl: 'http://api.acme.localhost:8080',
  observerUrl: 'http://observer.acme.localhost:8080',
  authUrl: 'http://idp.acme.localhost:8080',
  issuer: 'http://idp.acme.localhost:8080',
  signIn: 'browser',
  clientId: 'cli',
};

export const entries = [
  {server: 'control-plane', label: 'acme-control-plane', url: 'http://api.acme.localhost:8080/mcp'},
  {server: 'observability', label: 'acme-observability', url: 'http://observer.acme.localhost:8080/mcp'},
] as const;

/** The same addresses on a control plane that has sets of tools. */
export const toolSets = {
  build: ['namespace', 'project', 'component', 'deployment', 'build', 'resource'],
  run: ['namespace', 'project', 'deployment', 'pe'],
} as const;

export const entriesWithSets = [{...entries[0], toolSets}, entries[1]] as const;

/** Sets up a machine with a signed-in person and an empty home. */
export const machine = async (env: Readonly<Record<string, string>> = {}) => {
  const directory = await temporaryDirectory();
  const [setupHome, home, project] = ['setup', 'home', 'project'].map(name => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([mkdir(home), mkdir(project)]);
  const ports = portsIn(setupHome, env);
  const token = jwt(4_000_000_000);
  await ports.config.saveContext(context);
  await ports.credentials.replace(context, {issuer: context.issuer, clientId: 'cli', accessToken: token});
  const place: Place = {home, project, system: systemHere, env: {}};
  const input = (chosen: readonly (readonly [string, Scope, Method])[]) => ({
    targets: chosen.map(([id, scope, method]) => {
      const assistant = allAssistants.find(one => one.id === id);
      if (!assistant) throw new Error(`There is no ${id}.`);
      return {assistant, scope, method};
    }),
    place,
    entries,
    tokens: {signIn: new Secret(token)},
    own: {command: '/usr/bin/node', args: ['/opt/setup.js'], home: setupHome},
    context: 'acme',
    ownFiles: 'none' as const,
    replace: false,
    inGit: 'refuse' as const,
  });
  const saved = async () => (await ports.config.read()).contexts[0] ?? context;
  const actions = (ports: Ports) => ({
    ports,
    connect: async (...chosen: readonly (readonly [string, Scope, Method])[]) => {
      const {result: plan} = await collect(planFiles, {...input(chosen), inGit: 'ignore'}, ports);
      await collect(writeFiles, {...input(chosen), plan}, ports);
      return plan;
    },
    disconnect: async (ids: readonly string[] = []) => {
      const chosen = ({assistant}: {assistant: string}) => ids.length === 0 || ids.includes(assistant);
      return (await collect(disconnectAssistants, {context: await saved(), assistants: allAssistants, chosen}, ports))
        .result;
    },
  });
  const put = async (path: string, text: string) => {
    const file = resolve(home, path);
    await mkdir(dirname(file), {recursive: true});
    await writeFile(file, text);
    return file;
  };
  /** Returns the path of the file that holds an assistant's entries on this system. */
  const fileOf = (id: string, scope: Scope = 'user'): string => {
    const [file] = allAssistants.find(one => one.id === id)?.files(scope, place) ?? [];
    if (file === undefined) throw new Error(`${id} has no file.`);
    return file;
  };
  /** Starts the program anew: undo reverts the writes of each start separately. */
  const again = () => actions(portsIn(setupHome, env));
  return {...actions(ports), again, home, project, place, token, saved, input, put, fileOf};
};
