import {addressOf} from '../../domain/address.ts';
import {clientIn, isOfClient, isOfPerson, payloadOf, personIn} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, type SuggestedCommand} from '../../errors/remedy.ts';
import {AFTER_UPGRADE} from '../../errors/shared-advice.ts';
import type {Platform} from '../../platform/platform.ts';
import {releaseOf} from '../../platform/recognise.ts';
import {
  applyCommand,
  leastRole,
  type Purpose,
  type RoleScope,
  roleDefinition,
  roleManifest,
  rolesOf,
} from '../../platform/role-binding.ts';
import {cleanText} from '../../text.ts';
import type {Run} from '../flow.ts';
import {isSuccess, type JsonObject, readJson, textAt} from '../http-answers.ts';
import {releaseFor} from '../release-by-paths.ts';

/** The permissions of an account, as the control plane reports them. */
export type AccountAccess =
  /** The release has no roles, or does not say. */
  | {readonly kind: 'unknown'}
  | {
      readonly kind: 'none' | 'some' | 'all';
      /** `user` for an account in a group, even a client's; `service_account` for every other one. */
      readonly type: string;
      /** Whether the account is a person's: by the token, or by the type if the token does not say. */
      readonly isPerson: boolean;
      /** The claim of this token to which roles are bound, and its values. */
      readonly claim: string;
      readonly values: readonly string[];
      /** The places where something is allowed: `ns/default/project/shop`, or `*`. */
      readonly paths: readonly string[];
      /** How many kinds of action are allowed there. */
      readonly actions: number;
      /** How many of them change something: all but views. */
      readonly changes: number;
      /** Set if any project may be seen. */
      readonly seesProjects?: true;
      /** Whether every action is allowed, including giving roles, and everywhere. */
      readonly isEverything: boolean;
      /** The person's name or the client's ID. Absent if the claim holds it, or if it holds the groups of a person. */
      readonly called?: string;
    };

/** The permissions of an account, if they are known. */
type Known = Exclude<AccountAccess, {readonly kind: 'unknown'}>;

/**
 * The purpose for which an account needs a role: the tools that it uses, and the place where it looked. `command` grants
 * the role, if the person may.
 */
export type Needed = Omit<RoleScope, 'role'> & {readonly purpose?: Purpose; readonly command?: SuggestedCommand};

export type ControlPlane = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  /** Its release, if known. */
  readonly version?: string;
  /** The contact that its operators named, if they did. */
  readonly contact?: string;
};

type Asked = ControlPlane & {readonly token: string};

/**
 * Reads the permissions of an account from its profile at the control plane (from 0.15, which has roles). If they
 * cannot be found out, they are unknown, and the account is not reported as lacking a role.
 *
 * @throws the signal's reason
 */
export const readAccess = async (
  {platform, controlPlaneUrl, version, token}: Asked,
  {ports: {http}, signal, tell}: Run,
): Promise<AccountAccess> => {
  const {roles} = releaseOf(platform, version);
  if (!roles) return {kind: 'unknown'};
  const url = addressOf(controlPlaneUrl, platform.paths.profile);
  try {
    const headers = {Authorization: `Bearer ${token}`};
    const reply = await http.send({method: 'GET', url, headers}, {signal, report: tell});
    return isSuccess(reply) ? accessIn(unwrapped(readJson(reply, url)), roles.everything, token) : {kind: 'unknown'};
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    return {kind: 'unknown'};
  }
};

/** Up to 0.16 the answer is in an envelope, `{"success": true, "data": {…}}`. */
const unwrapped = (answer: JsonObject): JsonObject => {
  const {success, data} = answer;
  const isEnvelope = success === true && typeof data === 'object' && data !== null;
  return isEnvelope ? (data as JsonObject) : answer;
};

const accessIn = ({capabilities, user}: JsonObject, everything: string, token: string): AccountAccess => {
  const {type, entitlement_claim: claim, entitlement_values: values} = (user ?? {}) as JsonObject;
  if (typeof claim !== 'string' || typeof capabilities !== 'object' || capabilities === null) return {kind: 'unknown'};
  const allowed = Object.entries(capabilities).flatMap(([action, capability]: [string, JsonObject | null]) =>
    (Array.isArray(capability?.allowed) ? (capability.allowed as readonly JsonObject[]) : []).map(({path}) => ({
      action,
      path: cleanText(String(path ?? '*')),
    })),
  );
  const paths = [...new Set(allowed.map(({path}) => path))];
  const actions = new Set(allowed.map(({action}) => action));
  const isPerson = isOfPerson(token) || (type === 'user' && !isOfClient(token));
  const bound = Array.isArray(values) ? values.filter(one => typeof one === 'string').map(cleanText) : [];
  const called = isPerson ? personIn(payloadOf(token) ?? {}) : clientIn(token);
  const isOther = called !== undefined && !bound.includes(called) && !(isPerson && type === 'user');
  return {
    kind: paths.length === 0 ? 'none' : paths.includes('*') ? 'all' : 'some',
    type: typeof type === 'string' ? cleanText(type) : '',
    isPerson,
    claim: cleanText(claim),
    values: bound,
    paths,
    actions: actions.size,
    changes: [...actions].filter(action => !action.endsWith(':view')).length,
    ...(actions.has('project:view') ? {seesProjects: true} : {}),
    isEverything: allowed.some(({action, path}) => action === everything && path === '*'),
    ...(isOther ? {called} : {}),
  };
};

/**
 * Returns the error for an account that is signed in and may do nothing. It names the claim by which the platform
 * identifies the account, the least role that is enough, and the YAML with which an administrator of this release
 * grants that role. Undefined if the account has a role, or if that is unknown.
 */
export const noRole = (
  access: AccountAccess,
  controlPlane: ControlPlane,
  needed: Needed = {},
): SetupError | undefined =>
  access.kind === 'none'
    ? withoutRole(access, controlPlane, needed, 'has no role for this account, so it can’t do anything')
    : undefined;

/**
 * Returns the error for the assistants' own account if its role does not serve its purpose: as `noRole` does, or
 * because it sees no project, or because it may change nothing although it is meant to. Undefined if the role is
 * enough, or if that is unknown.
 */
export const unfitRole = (
  access: AccountAccess,
  controlPlane: ControlPlane,
  needed: Needed & {readonly purpose: Purpose},
): SetupError | undefined => {
  if (access.kind !== 'unknown' && access.kind !== 'none' && !access.seesProjects)
    return withoutRole(access, controlPlane, needed, 'does not show this account any project');
  const isShort =
    needed.purpose !== 'look' && access.kind !== 'unknown' && access.kind !== 'none' && access.changes === 0;
  return isShort
    ? withoutRole(access, controlPlane, needed, 'does not let this account change anything')
    : noRole(access, controlPlane, needed);
};

/** @param lack what the control plane withholds, in words that follow its address */
const withoutRole = (
  access: Known,
  {platform, controlPlaneUrl, version, contact}: ControlPlane,
  {purpose, command, ...scope}: Needed,
  lack: string,
): SetupError => {
  const {claim, values, type, isPerson, called} = access;
  const [value] = values;
  const isByGroup = type === 'user';
  const name = called ?? value;
  const who = isPerson ? 'You are' : `${name ?? 'The client'} is`;
  const message = `${who} signed in, but ${controlPlaneUrl} ${lack}. ${whatCounts(access)}`;
  if (value === undefined) {
    return new SetupError('auth-no-role', message, {
      remedy: `Ask the identity provider’s operators to put “${claim}” into the token, then ask ${administratorOf(platform, version, contact)} to bind a role to it.`,
      about: {url: controlPlaneUrl},
    });
  }
  const role = leastRole(platform, version, purpose);
  const manifest = manifestFor(access, {platform, version}, {...scope, ...(purpose ? {purpose} : {})});
  const everyone = isByGroup
    ? `Every member of the group “${value}” gets this role, not only ${isPerson ? 'you' : name}. `
    : '';
  const isMade = role !== undefined && roleDefinition(platform, version, role.name) !== undefined;
  const others = rolesOf(platform, version).filter(({name}) => name !== role?.name);
  const administrator = administratorOf(platform, version, contact);
  const what = isMade ? 'this role and its binding' : 'this role binding';
  const ask =
    command === undefined
      ? `Ask ${administrator} to apply ${what}.`
      : phrase`If you may grant the role, run ${command}. Otherwise ask ${administrator} to apply ${what}.`;
  const details = [
    `It gives the role “${role?.name}”, which can ${role?.may}. ${everyone}It takes effect within a second. ${AFTER_UPGRADE}`,
    `Other roles: ${others.map(({name, may}) => `${name} (${may})`).join(', ')}.`,
  ].join(' ');
  return new SetupError(
    'auth-no-role',
    message,
    manifest === undefined
      ? {about: {url: controlPlaneUrl}}
      : {
          about: {url: controlPlaneUrl},
          remedy: [ask, details, {block: applyCommand(manifest)}],
        },
  );
};

/**
 * Returns the YAML that grants an account the least role for a purpose; undefined if the release has no roles, or the
 * token lacks the claim to which roles are bound.
 */
export const manifestFor = (
  access: AccountAccess,
  {platform, version}: {readonly platform: Platform; readonly version?: string | undefined},
  {purpose, command: _, ...scope}: Needed,
): string | undefined => {
  const role = leastRole(platform, version, purpose);
  if (access.kind === 'unknown' || !role) return undefined;
  const {claim, values, type, called} = access;
  const [value] = values;
  if (value === undefined) return undefined;
  const subject = {claim, value, ...(called && type !== 'user' ? {called} : {})};
  return roleManifest(platform, version, subject, {...scope, role: role.name});
};

/** Says to which claim roles are bound, and which bindings have no effect. */
const whatCounts = ({claim, values, type, isPerson}: Known): string => {
  if (isPerson && type !== 'user' && values.length > 0) {
    return `The platform finds no group in the token, so roles are bound to its claim “${claim}”, which is ${values.join(', ')}. If the token ever names a group, only the roles of that group will count.`;
  }
  const counts =
    values.length === 0
      ? `Roles are bound to the claim “${claim}”, which this token does not have.`
      : `Roles are bound to the claim “${claim}” of the token, which is ${values.join(', ')}.`;
  if (type !== 'user') return counts;
  const name = isPerson ? 'a person’s name, e-mail address' : 'its client ID';
  return `${counts} A binding to ${name} or “sub” has no effect.`;
};

/** Names the people who can give roles: the operators' contact, or else the group that may do so by default. */
const administratorOf = (platform: Platform, version: string | undefined, contact: string | undefined): string => {
  if (contact !== undefined) return `an administrator (contact: ${cleanText(contact)})`;
  const {roles} = releaseOf(platform, version);
  return roles ? `an administrator (by default, a member of the group “${roles.administrators}”)` : 'an administrator';
};

/**
 * Returns why an account sees nothing or was refused, if the reason is a missing role.
 *
 * @returns undefined if it has a role, or if that cannot be found out
 */
export const missingRole = async (asked: Asked, run: Run, needed: Needed = {}): Promise<SetupError | undefined> => {
  const access = await readAccess(asked, run);
  if (access.kind !== 'none') return undefined;
  // The form of a role binding depends on the release.
  const version = asked.version ?? (await readVersion(asked, run));
  return noRole(access, {...asked, ...(version === undefined ? {} : {version})}, needed);
};

/**
 * Returns the release of a control plane, by what it says or by the paths that it answers.
 *
 * @throws the signal's reason
 */
export const readVersion = async (
  {controlPlaneUrl, platform}: Pick<ControlPlane, 'controlPlaneUrl' | 'platform'>,
  run: Run,
): Promise<string | undefined> => {
  const {ports, signal, tell} = run;
  const url = addressOf(controlPlaneUrl, platform.paths.version);
  try {
    const reply = await ports.http.send({method: 'GET', url}, {signal, report: tell});
    const reported = isSuccess(reply) ? textAt(readJson(reply, url), 'version') : undefined;
    return await releaseFor(reported, {controlPlaneUrl, platform}, run);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    return undefined;
  }
};

/**
 * Requires that an account has a role, and describes its permissions in a few words.
 *
 * @returns undefined if the release has no roles, or does not say
 * @throws SetupError `auth-no-role`; the signal's reason
 */
export const requireRole = async (asked: Asked, run: Run, needed: Needed = {}): Promise<string | undefined> => {
  const access = await readAccess(asked, run);
  const missing = noRole(access, asked, needed);
  if (missing) throw missing;
  return access.kind === 'unknown' ? undefined : describeAccess(access);
};

/** Says how many of the actions make changes, as a clause. */
const effectOf = ({actions, changes}: Known): string => {
  if (changes === 0) return actions === 1 ? 'read-only' : 'all of them read-only';
  if (actions === 1) return 'which makes changes';
  return changes === 1 ? '1 of which makes changes' : `${changes} of which make changes`;
};

/** Describes the permissions of an account in a few words. */
export const describeAccess = (access: AccountAccess): string => {
  if (access.kind === 'unknown') return 'the control plane does not say what the account may do';
  const called = access.isPerson ? access.called : access.called && `client ${access.called}`;
  const who = `the claim “${access.claim}” (${[...access.values, ...(called ? [called] : [])].join(', ')})`;
  if (access.kind === 'none') return `no role for ${who}`;
  if (access.isEverything) return `a role for everything, for ${who}`;
  const where = access.kind === 'all' ? 'the whole platform' : access.paths.join(', ');
  const actions = access.actions === 1 ? '1 kind of action' : `${access.actions} kinds of actions`;
  return `a role for ${actions}, ${effectOf(access)}, in ${where}, for ${who}`;
};
