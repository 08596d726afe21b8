import roleActions from './descriptors/role-actions.json' with {type: 'json'};
import type {Platform, Release} from './platform.ts';
import {releaseOf} from './recognise.ts';

/** The subject of a role binding: the claim by which the platform identifies an account, and its value in the token. */
export type Entitlement = {
  readonly claim: string;
  readonly value: string;
  /** A readable name of the account, if the value is an opaque ID. */
  readonly called?: string;
};

/** The purpose of a role: only looking, building services, or running the platform. */
export type Purpose = 'look' | 'build' | 'run';

/** A role that can be granted, in words. */
export type KnownRole = Platform['roles'][number];

/** A role and the scope of its binding: by default the whole platform. */
export type RoleScope = {readonly namespace?: string; readonly project?: string; readonly role?: string};

type Roles = NonNullable<Release['roles']>;

/**
 * Returns the least role that serves a purpose on a release: one that comes with it, or one that has to be created
 * because the release's own roles allow too much. If none serves the purpose, returns the one for building services.
 * Undefined if the release has no roles.
 */
export const leastRole = (
  platform: Platform,
  version: string | undefined,
  purpose: Purpose = 'build',
): KnownRole | undefined => {
  const {roles} = releaseOf(platform, version);
  return roles && (fitting(platform, roles, purpose) ?? fitting(platform, roles, 'build'));
};

const fitting = (platform: Platform, roles: Roles, purpose: Purpose) =>
  platform.roles.find(
    one => one.for === purpose && (roles.brings.includes(one.name) || roles.makes?.includes(one.name)),
  );

/**
 * Returns the actions of a role that does not come with a release line. They are the same for every kind of platform,
 * and in a file of their own, because the first screen needs none of them.
 */
export const actionsOf = (role: string, line: string): readonly string[] =>
  (roleActions as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>)[role]?.[line] ?? [];

/** Returns the roles that come with a release, in words, those that allow less first. */
export const rolesOf = (platform: Platform, version: string | undefined): readonly KnownRole[] => {
  const {brings = []} = releaseOf(platform, version).roles ?? {};
  return platform.roles.filter(({name}) => brings.includes(name));
};

/** Returns the actions of a role that an administrator has to create on this release; undefined for any other role. */
export const actionsMade = (
  platform: Platform,
  version: string | undefined,
  role: string,
): readonly string[] | undefined => {
  const {roles, line} = releaseOf(platform, version);
  return roles?.makes?.includes(role) ? actionsOf(role, line) : undefined;
};

/**
 * Returns the resource that defines a role that does not come with the release, as YAML. Undefined for one that does,
 * and for an unknown role.
 */
export const roleDefinition = (platform: Platform, version: string | undefined, role: string): string | undefined => {
  const {roles} = releaseOf(platform, version);
  const actions = actionsMade(platform, version, role);
  if (!roles || !actions) return undefined;
  return [
    `apiVersion: ${roles.apiVersion}`,
    `kind: ${roles.roleKind}`,
    'metadata:',
    `  name: ${role}`,
    'spec:',
    '  actions:',
    ...actions.map(one => `    - ${one}`),
    '',
  ].join('\n');
};

/**
 * Returns the resource that grants a role to an account, in the form of the release, as YAML for `kubectl apply`: by
 * default the least role for building services. Undefined if the release has no roles.
 */
export const roleBinding = (
  platform: Platform,
  version: string | undefined,
  {claim, value, called = value}: Entitlement,
  {namespace, project, role: wanted}: RoleScope = {},
): string | undefined => {
  const {roles} = releaseOf(platform, version);
  if (!roles) return undefined;
  const name = wanted ?? leastRole(platform, version)?.name ?? roles.brings.at(-1) ?? '';
  const kind = namespace === undefined ? undefined : roles.projectKind;
  const target = kind && project !== undefined ? {project} : {};
  const besides = besidesOf(platform, roles, name, target.project !== undefined);
  return [
    `apiVersion: ${roles.apiVersion}`,
    `kind: ${kind ?? roles.kind}`,
    'metadata:',
    `  name: ${bindingName(called, name)}`,
    ...(kind && namespace !== undefined ? [`  namespace: ${quoted(namespace)}`] : []),
    'spec:',
    '  entitlement:',
    `    claim: ${quoted(claim)}`,
    `    value: ${quoted(value)}`,
    ...(roles.form === 'role-ref'
      ? [...roleRef(roles, name, '  '), ...scoped('targetPath', target, '  ')]
      : [
          '  roleMappings:',
          ...mapping([...roleRef(roles, name, ''), ...scoped('scope', target, '')]),
          ...besides.flatMap(one => mapping(roleRef(roles, one, ''))),
        ]),
    '  effect: allow',
    '',
  ].join('\n');
};

/** Returns the further roles that an account needs, everywhere or in a project, if they come with the release. */
const besidesOf = (platform: Platform, {brings}: Roles, name: string, isInProject: boolean): readonly string[] => {
  const {besides, with: always = []} = platform.roles.find(one => one.name === name) ?? {};
  const all = [...always, ...(isInProject && besides !== undefined ? [besides] : [])];
  return all.filter(one => brings.includes(one));
};

/** One key per line, to fit into a narrow terminal. */
const roleRef = ({roleKind}: Roles, name: string, indent: string): readonly string[] => [
  `${indent}roleRef:`,
  `${indent}  kind: ${roleKind}`,
  `${indent}  name: ${quoted(name)}`,
];

const scoped = (key: string, {project}: {readonly project?: string}, indent: string): readonly string[] =>
  project === undefined ? [] : [`${indent}${key}:`, `${indent}  project: ${quoted(project)}`];

/** Formats one item of a list. */
const mapping = (lines: readonly string[]): readonly string[] =>
  lines.map((line, at) => `${at === 0 ? '    - ' : '      '}${line}`);

/**
 * Returns what an administrator applies to grant a role: its binding, preceded by the role itself if that does not come
 * with the release. Undefined if the release has no roles.
 */
export const roleManifest = (
  platform: Platform,
  version: string | undefined,
  entitlement: Entitlement,
  scope: RoleScope & {readonly role: string},
): string | undefined => {
  const binding = roleBinding(platform, version, entitlement, scope);
  const definition = roleDefinition(platform, version, scope.role);
  return binding && definition ? `${definition}---\n${binding}` : binding;
};

/** Returns the complete command line that applies the manifest, for copying. */
export const applyCommand = (manifest: string): string => `kubectl apply -f - <<'EOF'\n${manifest}EOF`;

/** Quotes a text unless it is a plain word: a JSON string is always a valid YAML string. */
const quoted = (text: string) =>
  /^[a-z][\w-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);

/** Returns a name that is valid in Kubernetes (RFC 1123), derived from the names of the account and the role. */
export const bindingName = (value: string, role: string): string => {
  const plain = value
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-|-$/g, '');
  return `${plain === '' ? 'account' : plain}-${role}`;
};

export type ExternalClient = {readonly clientId: string; readonly scopes: readonly string[]};

/**
 * Returns the control plane values that register a CLI client of an external identity provider (platform access 2.4 and
 * 5.4), as YAML for Helm.
 */
export const externalClientValues = ({cliClient}: Platform, {clientId, scopes}: ExternalClient): string =>
  [
    'security:',
    '  oidc:',
    '    externalClients:',
    `      - name: ${cliClient.name}`,
    // A JSON string is always a valid YAML string.
    `        client_id: ${JSON.stringify(clientId)}`,
    '        scopes:',
    ...scopes.map(scope => `          - ${JSON.stringify(scope)}`),
    '',
  ].join('\n');

/**
 * Returns the requirements for the client at the identity provider, without which the values are of no use (platform
 * access 5.4).
 */
export const externalClientRequirements = ({callbackUrl}: Platform): readonly string[] => [
  'a public client, without a secret',
  'grant types authorization_code and refresh_token',
  'PKCE with S256',
  `the redirect URL ${callbackUrl}`,
  'access tokens as JWTs, not opaque ones',
];
