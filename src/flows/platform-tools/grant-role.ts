import {parse} from 'yaml';
import {addressOf} from '../../domain/address.ts';
import type {GrantedRole} from '../../domain/context.ts';
import type {Secret} from '../../domain/secret.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import {releaseOf} from '../../platform/recognise.ts';
import {applyCommand} from '../../platform/role-binding.ts';
import type {HttpReply} from '../../ports/ports.ts';
import type {Run} from '../flow.ts';
import {isSuccess, statusError} from '../http-answers.ts';
import {createInCluster, deleteInCluster} from './cluster-roles.ts';

/** A control plane, and the token of somebody who may grant roles there. */
export type Granting = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  /** Its release, if known. */
  readonly version?: string | undefined;
  readonly token: Secret;
};

/**
 * Creates the role and the binding of a manifest: at the control plane, from 1.0 on, or with kubectl. An object that
 * already exists under the same name is left as it is, and is not part of the result.
 *
 * @param manifest YAML, as `roleManifest` returns it
 * @param kubeContext the kube context in which kubectl creates them; absent for the control plane
 * @returns the names of the objects that this call created
 * @throws SetupError `auth-permission-missing` if the token may not grant roles; `platform-*`, `network-*`; the
 *   signal's reason. Objects that were created before are deleted again.
 */
export const grantRole = async (
  {kubeContext, ...input}: Granting & {readonly manifest: string; readonly kubeContext?: string | undefined},
  run: Run,
): Promise<GrantedRole> => {
  if (kubeContext !== undefined) return createInCluster({...input, kubeContext}, run);
  const {platform, version, manifest} = input;
  const {roles} = releaseOf(platform, version);
  if (!roles?.api) throw new Error('Only a release with an API for roles is asked.');
  const objects = objectsIn(manifest);
  const created = {roles: [] as string[], bindings: [] as string[]};
  try {
    for (const object of objects) {
      const list = object.kind === roles.roleKind ? 'roles' : 'bindings';
      const reply = await send('POST', roles.api[list], input, run, object);
      if (isSuccess(reply)) created[list].push(object.metadata.name);
    }
  } catch (error) {
    await removeRole({...input, granted: created}, run).catch(() => {});
    // A person who may not grant the role needs it in a form that somebody else can apply.
    const isRefused = error instanceof SetupError && error.code === 'auth-permission-missing';
    throw isRefused ? error.advising({block: applyCommand(manifest)}) : error;
  }
  return created;
};

/** `created`: the objects that were created now. `granted`: all that this program has created for the role. */
export type ReplacedRole = {readonly created: GrantedRole; readonly granted: GrantedRole};

/**
 * Grants a role as `grantRole` does, and takes back what this program had granted before. What both have in common
 * stays: after a reinstallation of the platform, that is all of it.
 *
 * @throws SetupError as `grantRole`
 */
export const replaceRole = async (
  {former, ...input}: Parameters<typeof grantRole>[0] & {readonly former?: GrantedRole | undefined},
  run: Run,
): Promise<ReplacedRole> => {
  const created = await grantRole(input, run);
  if (!former) return {created, granted: created};
  const needed = new Set(objectsIn(input.manifest).map(({metadata}) => metadata.name));
  const partOf = (isNeeded: boolean): GrantedRole => ({
    ...former,
    roles: former.roles.filter(name => needed.has(name) === isNeeded),
    bindings: former.bindings.filter(name => needed.has(name) === isNeeded),
  });
  const [kept, others] = [partOf(true), partOf(false)];
  if (others.roles.length + others.bindings.length > 0) await removeRole({...input, granted: others}, run);
  const both = (list: 'roles' | 'bindings') => [...new Set([...kept[list], ...created[list]])];
  return {created, granted: {...created, roles: both('roles'), bindings: both('bindings')}};
};

/** Returns the objects of a manifest, which is YAML as `roleManifest` returns it. */
const objectsIn = (manifest: string): readonly ClusterObject[] =>
  manifest.split(/^---\n/m).map(document => parse(document) as ClusterObject);

type ClusterObject = {readonly kind: string; readonly metadata: {readonly name: string}};

/**
 * Deletes what `grantRole` has created: the bindings, then the roles. An object that is gone, or a role that somebody
 * else uses by now, is no error.
 *
 * @throws SetupError as `grantRole`
 */
export const removeRole = async (
  {granted, ...input}: Granting & {readonly granted: GrantedRole},
  run: Run,
): Promise<void> => {
  const {kubeContext} = granted;
  if (kubeContext !== undefined) return deleteInCluster({...input, granted, kubeContext}, run);
  const api = releaseOf(input.platform, input.version).roles?.api;
  if (!api) return;
  for (const list of ['bindings', 'roles'] as const) {
    for (const name of granted[list]) await send('DELETE', `${api[list]}/${encodeURIComponent(name)}`, input, run);
  }
};

/** Statuses that leave things as they are wanted: the object is there already, is gone already, or is still in use. */
const settled: Readonly<Record<'POST' | 'DELETE', readonly number[]>> = {POST: [409], DELETE: [404, 409]};

const send = async (
  method: 'POST' | 'DELETE',
  path: string,
  {controlPlaneUrl, token}: Granting,
  {ports: {http}, signal, tell}: Run,
  body?: object,
): Promise<HttpReply> => {
  const url = addressOf(controlPlaneUrl, path);
  const headers = {
    Authorization: `Bearer ${token.reveal()}`,
    ...(body ? {'Content-Type': 'application/json'} : {}),
  };
  const request = {method, url, headers, ...(body ? {body: JSON.stringify(body)} : {})};
  const reply = await http.send(request, {signal, report: tell});
  if (isSuccess(reply) || settled[method].includes(reply.status)) return reply;
  if (reply.status === 403) {
    throw new SetupError('auth-permission-missing', `${controlPlaneUrl} does not let you grant roles.`, {
      remedy: 'Ask an administrator of the platform to apply this role and its binding.',
      about: {url: url.href},
    });
  }
  throw statusError(reply, url);
};
