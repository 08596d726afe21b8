import {parse} from 'yaml';
import type {GrantedRole} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import {parseJson} from '../../json.ts';
import type {Platform} from '../../platform/platform.ts';
import {releaseOf} from '../../platform/recognise.ts';
import {askTool, type ClusterReading, readRoutes} from '../deployment/cluster.ts';
import type {Run} from '../flow.ts';

/** A control plane and its release. */
type Installation = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  readonly version?: string | undefined;
};

/**
 * Returns the current kube context, if it is the cluster of this control plane and kubectl may create roles and role
 * bindings there. The cluster is recognised by a route to the control plane's host.
 *
 * @throws the signal's reason
 */
export const findGrantingContext = async (
  {platform, controlPlaneUrl, version}: Installation,
  {ports, signal}: Run,
): Promise<ClusterReading<string>> => {
  const {roles} = releaseOf(platform, version);
  if (!roles) return {absent: 'this release has no roles'};
  const current = await askTool('kubectl', ['config', 'current-context'], ports, signal);
  if (!('found' in current)) return current;
  const context = current.found.trim();
  const routes = await readRoutes([platform], ports, signal);
  if (!('found' in routes)) return routes;
  const {hostname} = new URL(controlPlaneUrl);
  if (!routes.found.some(({hostnames}) => hostnames.includes(hostname))) {
    return {absent: `no route in the kube context ${context} leads to ${hostname}`};
  }
  for (const kind of [roles.kind, roles.roleKind]) {
    const args = ['--context', context, 'auth', 'can-i', 'create', resource(kind, roles.apiVersion)];
    const may = await askTool('kubectl', args, ports, signal);
    if (!('found' in may) || may.found.trim() !== 'yes') {
      return {absent: `you are not allowed to create the kind ${kind} in the kube context ${context}`};
    }
  }
  return {found: context};
};

/** Returns a kind with its group, as kubectl takes it: `clusterauthzrole.openchoreo.dev`. */
const resource = (kind: string, apiVersion: string): string => `${kind.toLowerCase()}.${apiVersion.split('/', 1)[0]}`;

/**
 * Creates the role and the binding of a manifest with kubectl. An object that already exists under the same name is
 * left as it is, and is not part of the result.
 *
 * @param manifest YAML, as `roleManifest` returns it
 * @throws SetupError `auth-permission-missing`, `platform-rejected`; the signal's reason. Objects that were created
 *   before are deleted again.
 */
export const createInCluster = async (
  {manifest, kubeContext, ...installation}: Installation & {readonly manifest: string; readonly kubeContext: string},
  run: Run,
): Promise<GrantedRole> => {
  const {roles} = releaseOf(installation.platform, installation.version);
  const created = {roles: [] as string[], bindings: [] as string[], kubeContext};
  try {
    for (const document of manifest.split(/^---\n/m)) {
      const args = ['--context', kubeContext, 'create', '--filename', '-', '--output', 'jsonpath={.metadata.name}'];
      const answer = await askTool('kubectl', args, run.ports, run.signal, document);
      const {kind} = parse(document) as {readonly kind: string};
      const list = kind === roles?.roleKind ? created.roles : created.bindings;
      if ('found' in answer) list.push(answer.found.trim());
      else if (!/AlreadyExists|already exists/.test(reasonOf(answer))) throw refused('create', kubeContext, answer);
    }
  } catch (error) {
    await deleteInCluster({...installation, granted: created, kubeContext}, run).catch(() => {});
    throw error;
  }
  return created;
};

/**
 * Deletes what `createInCluster` has created: the bindings, then the roles that nobody else uses by now. An object that
 * is gone is no error.
 *
 * @throws SetupError as `createInCluster`
 */
export const deleteInCluster = async (
  {
    platform,
    version,
    granted,
    kubeContext,
  }: Installation & {readonly granted: GrantedRole; readonly kubeContext: string},
  {ports, signal}: Run,
): Promise<void> => {
  const {roles} = releaseOf(platform, version);
  if (!roles) return;
  const kubectl = async (...args: readonly string[]) => {
    const answer = await askTool('kubectl', ['--context', kubeContext, ...args], ports, signal);
    if ('found' in answer) return answer.found;
    throw refused('delete', kubeContext, answer);
  };
  const remove = (kind: string, names: readonly string[]) =>
    names.length === 0
      ? undefined
      : kubectl('delete', resource(kind, roles.apiVersion), ...names, '--ignore-not-found', '--wait=false');
  await remove(roles.kind, granted.bindings);
  if (granted.roles.length === 0) return;
  const kinds = [roles.kind, ...(roles.projectKind === undefined ? [] : [roles.projectKind])];
  const bindings = kinds.map(kind => resource(kind, roles.apiVersion)).join(',');
  const used = rolesIn(parseJson(await kubectl('get', bindings, '--all-namespaces', '--output', 'json')));
  await remove(
    roles.roleKind,
    granted.roles.filter(name => !used.has(name)),
  );
};

/** Returns the names of all roles that bindings refer to, in the form of any release. */
const rolesIn = (value: unknown, found = new Set<string>()): ReadonlySet<string> => {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'roleRef' && typeof member?.name === 'string') found.add(member.name);
    else rolesIn(member, found);
  }
  return found;
};

type Unread = Exclude<ClusterReading<string>, {readonly found: string}>;

/** Returns why a tool gave no answer, as a clause. */
export const reasonOf = (answer: Unread): string => ('absent' in answer ? answer.absent : answer.failed);

const refused = (act: 'create' | 'delete', context: string, answer: Unread): SetupError => {
  const reason = reasonOf(answer);
  const message = `kubectl could not ${act} the role in the kube context ${context}: ${reason}.`;
  return /forbidden/i.test(reason)
    ? new SetupError('auth-permission-missing', message, {
        remedy: `Ask an administrator of the cluster to ${act === 'create' ? 'grant the role' : 'delete it'}.`,
      })
    : new SetupError('platform-rejected', message);
};
