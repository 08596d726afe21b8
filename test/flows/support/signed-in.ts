import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {generic} from '../../../src/assistants/catalogue/generic.ts';
import type {Context} from '../../../src/domain/context.ts';
import {entriesOf} from '../../../src/domain/mcp-servers.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import {obtainToken} from '../../../src/flows/sign-in/client-credentials.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {collect} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {clientOf, deploymentOf, sandboxPlatform} from '../../support/platform.ts';
import {systemHere} from '../../support/systems/system-here.ts';

/** Sets up a person who is signed in to a sandbox, and an empty project. */
export const signedIn = async () => {
  const ready = await sandboxPlatform();
  const directory = await temporaryDirectory();
  const [home, project] = [join(directory, 'home'), join(directory, 'project')];
  await mkdir(project);
  const ports = portsIn(home);
  const {clientId, secret} = clientOf(ready, 'client_secret_basic');
  const issuer = ready.authUrl;
  const clientSecret = new Secret(secret);
  const request = {issuer, clientId, method: 'mcp-client', secret: clientSecret} as const;
  const {result: token} = await collect(obtainToken, request, ports);
  const tokens = {signIn: token.access};
  const deployment = deploymentOf(ready);
  const {evidence: _, ...rest} = deployment;
  const context: Context = {...rest, name: 'acme', platform: 'bundled', signIn: 'mcp-client', clientId};
  const place = {home, project, system: systemHere, env: {}} as const;
  const targets = {
    targets: [{assistant: generic, scope: 'project', method: 'header'}],
    place,
    entries: entriesOf('acme', deployment, bundled, undefined),
    tokens,
    own: {command: process.execPath, args: ['/nowhere/setup.js']},
    context: 'acme',
    ownFiles: 'all' as const,
    replace: false,
    inGit: 'refuse',
  } as const;
  const plan = async () => (await collect(planFiles, targets, ports)).result;
  const write = async (planned: Awaited<ReturnType<typeof plan>>) =>
    collect(writeFiles, {...targets, plan: planned, signIn: {context, token, clientSecret}}, ports);
  return {
    ready,
    ports,
    home,
    project,
    deployment,
    context,
    targets,
    plan,
    write,
    secret,
    signIn: {context, token, clientSecret},
    tokens,
    token: token.access.reveal(),
    file: join(project, '.mcp.json'),
  };
};
