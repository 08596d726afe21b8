import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {parse} from 'yaml';
import type {Context} from '../../../../src/domain/context.ts';
import {Secret} from '../../../../src/domain/secret.ts';
import {
  type CliChoice,
  type CliSecrets,
  composeCli,
  type OwnCliInput,
} from '../../../../src/flows/own-cli/compose-cli.ts';
import {openchoreo} from '../../../../src/platform/platforms.ts';
import {contextAt} from '../../../support/context.ts';
import {portsIn, temporaryDirectory} from '../../../support/place.ts';
import {expectMode} from '../../../support/systems/system-here.ts';

/** The file of a person's own CLI that knows another deployment. */
export const others = `currentContext: work
controlplanes:
    - name: work
      url: http://api.work.example
credentials:
    - name: work
      token: token-at-work
contexts:
    - name: work
      controlplane: work
      credentials: work
`;

export const person: Context = {...contextAt('http://api.acme.localhost:8080'), clientId: 'openchoreo-cli'};

export const secrets: CliSecrets = {access: new Secret('access-of-now'), refresh: new Secret('refresh-of-now')};

/** Sets up the home of a person with the platform's own CLI, with this text in its file if given. */
export const homeWith = async (text?: string) => {
  const home = await temporaryDirectory();
  const path = join(home, '.openchoreo', 'config');
  const ports = portsIn(join(home, 'setup'));
  const put = async (text: string) => {
    await mkdir(dirname(path), {recursive: true});
    await writeFile(path, text, {mode: 0o600});
  };
  if (text !== undefined) await put(text);
  const input = (more: Partial<OwnCliInput> = {}): OwnCliInput => ({
    ...{platform: openchoreo, context: person, home, replace: false},
    ...more,
  });
  return {
    home,
    path,
    ports,
    put,
    input,
    text: () => readFile(path, 'utf8'),
    expectMode: (mode: number) => expectMode(path, mode),
    compose: (more: Partial<OwnCliInput> = {}, choice: Partial<CliChoice> = {}, given = secrets) =>
      composeCli(input(more), {shares: true, fields: {namespace: 'default'}, ...choice}, given, ports),
  };
};

/** Returns the credentials of the deployment in a text of the file. */
export const credentialsIn = (text: string) =>
  parse(text).credentials.find(({name}: {name: string}) => name === person.name);
