import type {Assistant} from '../../assistants/assistant.ts';
import {redirectAddresses} from '../../assistants/assistant.ts';
import {jsonText} from '../../assistants/managed.ts';
import type {Place, System} from '../../assistants/place.ts';
import type {OwnCommand} from '../../domain/own-command.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import {releaseOf} from '../../platform/recognise.ts';
import {
  bindingName,
  externalClientValues,
  leastRole,
  roleBinding,
  roleDefinition,
} from '../../platform/role-binding.ts';
import {SETUP} from '../../setup-command.ts';

/** One file of an organisation kit. */
export type KitFile = {
  /** The path below the directory of the kit, with slashes. */
  readonly path: string;
  readonly text: string;
  /** Its purpose, a sentence. Absent if the file is part of another file's purpose. */
  readonly does?: string;
  /** How it was checked, a sentence. */
  readonly checked?: string;
};

/** Returns lines as comments, for formats in which `#` begins one. */
export const comment = (...lines: readonly string[]): string => lines.map(line => `# ${line}\n`).join('');

/** The company file's path in the kit. */
export const COMPANY_FILE = 'platform-setup.json';

/** A group of the identity provider, and the role that it gets; by default the role of people who build services. */
export type Group = {readonly name: string; readonly role?: string};

/** The token claim to which people’s roles are bound in a default installation of every release. */
const GROUPS_CLAIM = 'groups';

type About = {
  readonly platform: Platform;
  /** The control plane's release, if known. */
  readonly release?: string;
  readonly client: {readonly clientId: string; readonly scopes: readonly string[]};
  readonly groups: readonly Group[];
};

/**
 * Returns the files that the operators of the platform apply: the values that name the client with which people sign
 * in, and role bindings for groups if the release has roles.
 *
 * @throws SetupError `input-invalid` if two groups would get bindings of the same name
 */
export const platformFiles = ({platform, release, client, groups}: About): readonly KitFile[] => {
  const {roles} = releaseOf(platform, release);
  const values: KitFile = {
    path: 'platform/helm-values.yaml',
    text: `${comment(
      'The client with which people sign in, for the Helm release of the control plane.',
      'This replaces the whole list of external clients. Add your other clients to it.',
      `helm upgrade ${platform.cluster.release} CHART -n ${platform.cluster.namespace} --reuse-values -f helm-values.yaml`,
    )}${externalClientValues(platform, client)}`,
    does: 'Tells the control plane which client people sign in with.',
    checked:
      'Rendered by Helm with the charts of releases 0.14 and 1.2: the client is in the control plane’s configuration.',
  };
  if (!roles) return [values];
  const usual = leastRole(platform, release)?.name ?? roles.brings.at(-1) ?? '';
  const bindings = groups.map(({name, role = usual}) => ({
    role,
    group: name,
    name: bindingName(name, role),
    text: roleBinding(platform, release, {claim: GROUPS_CLAIM, value: name}, {role}) ?? '',
  }));
  refuseSameNames(bindings);
  const definitions = [...new Set(bindings.map(({role}) => role))].flatMap(
    role => roleDefinition(platform, release, role) ?? [],
  );
  const text = `${comment(
    `Gives groups of the identity provider a role, by the claim “${GROUPS_CLAIM}” in their members’ tokens.`,
    'kubectl apply -f role-bindings.yaml',
  )}${[...definitions, ...bindings.map(one => one.text)].join('---\n')}`;
  const bound: KitFile = {
    path: 'platform/role-bindings.yaml',
    text,
    does: `Gives ${groups.map(({name}) => `“${name}”`).join(', ')} a role on the platform.`,
    checked:
      roles.form === 'role-mappings'
        ? 'Accepted by the resource definitions of releases 1.0 to 1.2. Bindings of this form took effect on 1.0 and 1.2.'
        : 'Taken from the charts and resource definitions of releases 0.15 to 0.17; not tried.',
  };
  return [values, bound];
};

const refuseSameNames = (bindings: readonly {readonly group: string; readonly name: string}[]) => {
  const named = new Map<string, string>();
  for (const {group, name} of bindings) {
    const other = named.get(name);
    if (other !== undefined) {
      throw new SetupError(
        'input-invalid',
        `The groups ${other} and ${group} would get role bindings with the same name.`,
        {
          remedy: 'Export the kit with one of them, and add the binding of the other group by hand.',
          about: {flag: 'groups'},
        },
      );
    }
    named.set(name, group);
  }
};

type AboutProvider = {
  readonly assistants: readonly Assistant[];
  /** The addresses of the MCP servers. */
  readonly servers: readonly string[];
  readonly issuer: string;
  readonly client: {readonly clientId: string; readonly scopes: readonly string[]};
  /** The URL to which the browser returns after a person's sign-in. */
  readonly redirectUri: string;
  /** The steps at this kind of identity provider. */
  readonly guide: {readonly text: string; readonly isTried: boolean};
};

/**
 * Returns the files for the operators of the identity provider: the redirect URIs of every client, and how to register
 * them.
 */
export const providerFiles = ({
  assistants,
  servers,
  issuer,
  client,
  redirectUri,
  guide,
}: AboutProvider): readonly KitFile[] => {
  const clients = [
    {
      for: 'People, who sign in with this program',
      clientId: client.clientId,
      kind: 'public',
      grantTypes: ['authorization_code', 'refresh_token'],
      scopes: client.scopes,
      redirectUris: [redirectUri],
    },
    {
      for: 'Assistants that sign in by themselves. Leave it out if none does.',
      kind: 'public',
      grantTypes: ['authorization_code', 'refresh_token'],
      scopes: client.scopes,
      redirectUris: redirectAddresses(assistants, servers),
    },
  ];
  return [
    {
      path: 'identity-provider/clients.json',
      text: jsonText({issuer, clients}),
      does: 'Lists the clients to register at the identity provider, with all redirect addresses.',
      checked: 'Each address was seen in use, or is taken from the client’s documentation.',
    },
    {
      path: 'identity-provider/set-up.txt',
      text: `${elsewhere(guide.text)}\n`,
      does: 'Says what to click and type at this kind of identity provider.',
      checked: guide.isTried ? 'Tried on the identity provider itself.' : 'Taken from its documentation; not tried.',
    },
  ];
};

/** Rewrites commands as they are typed where this program is not installed. */
const elsewhere = (text: string): string => text.replaceAll(SETUP, 'npx platform-setup');

/** The directory of this program on every machine of an organisation, by the system of the machine. */
const prefixes = {
  linux: '/opt/platform-setup',
  darwin: '/opt/platform-setup',
  win32: 'C:\\Program Files\\platform-setup',
};

/** Returns the absolute path of the directory into which the program is installed on every machine. */
export const prefixOn = (system: System): string => prefixes[system];

/**
 * Returns the command with which an entry that is the same on every machine starts this program: by the paths that npm
 * makes below one prefix, and with the Node beside it. Nothing is looked up on PATH.
 */
export const machineWideCommand = (system: System): OwnCommand => {
  const prefix = prefixOn(system);
  return system === 'win32'
    ? {command: `${prefix}\\node.exe`, args: [`${prefix}\\node_modules\\platform-setup\\bin\\setup.js`]}
    : {command: `${prefix}/bin/node`, args: [`${prefix}/lib/node_modules/platform-setup/bin/setup.js`]};
};

/** Returns a place that stands for any machine of a system: no real person's home, and no variables. */
export const anyMachine = (system: System): Place => {
  const nowhere = system === 'win32' ? 'C:\\nobody' : '/nobody';
  return {home: nowhere, project: nowhere, system, env: {}};
};
