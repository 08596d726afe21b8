import {addressOf} from '../../domain/address.ts';
import {clientIn, isOfClient, isOfPerson, payloadOf, personIn} from '../../domain/tokens.ts';
import {AFTER_UPGRADE} from '../../errors/after-upgrade.ts';
import {SetupError} from '../../errors/errors.ts';
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
import {isSuccess, type JsonObject, readJson, textAt} from '../answers.ts';
import type {Run} from '../flow.ts';
import {releaseFor} from '../release-by-paths.ts';

/** What an account may do, as the control plane says it. */
export type Access =
  /** The release asks for no role, or does not say. */
  | {readonly kind: 'unknown'}
  | {
      readonly kind: 'none' | 'some' | 'all';
      /** `user` for who is in a group, a client as well; everybody else is a `service_account`. */
      readonly type: string;
      /** Whose it is, by the token, or by the type where that does not say. */
      readonly isPerson: boolean;
      /** The claim of this very token by which roles are bound, and what it holds. */
      readonly claim: string;
      readonly values: readonly string[];
      /** Where something is allowed: `ns/default/project/shop`, or `*`. */
      readonly paths: readonly string[];
      /** How many kinds of action are allowed there. */
      readonly actions: number;
      /** Whether all of them are, giving roles included, and everywhere. */
      readonly isEverything: boolean;
      /** The person's name or the client's ID, where that claim holds something else, and not the groups of a person. */
      readonly called?: string;
    };

/** What an account may do that is known. */
type Known = Exclude<Access, {readonly kind: 'unknown'}>;

/** What an account is to get a role for: the tools that it uses, and where it looked. */
export type Needed = Omit<RoleScope, 'role'> & {readonly purpose?: Purpose};

export type ControlPlane = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  /** Its release, where that is known. */
  readonly version?: string;
  /** Whom its operators want to be asked, where they said so. */
  readonly contact?: string;
};

type Asked = ControlPlane & {readonly token: string};

/**
 * What an account may do, by the profile that a control plane has of it (from 0.15, which has roles). What cannot be
 * found out is unknown, and not held against anybody.
 *
 * @throws what the signal aborts with
 */
export const readAccess = async (
  {platform, controlPlaneUrl, version, token}: Asked,
  {ports: {http}, signal, tell}: Run,
): Promise<Access> => {
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

/** Up to 0.16 what is answered is in an envelope, `{"success": true, "data": {…}}`. */
const unwrapped = (answer: JsonObject): JsonObject => {
  const {success, data} = answer;
  const isEnvelope = success === true && typeof data === 'object' && data !== null;
  return isEnvelope ? (data as JsonObject) : answer;
};

const accessIn = ({capabilities, user}: JsonObject, everything: string, token: string): Access => {
  const {type, entitlement_claim: claim, entitlement_values: values} = (user ?? {}) as JsonObject;
  if (typeof claim !== 'string' || typeof capabilities !== 'object' || capabilities === null) return {kind: 'unknown'};
  const allowed = Object.entries(capabilities).flatMap(([action, capability]: [string, JsonObject | null]) =>
    (Array.isArray(capability?.allowed) ? (capability.allowed as readonly JsonObject[]) : []).map(({path}) => ({
      action,
      path: cleanText(String(path ?? '*')),
    })),
  );
  const paths = [...new Set(allowed.map(({path}) => path))];
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
    actions: new Set(allowed.map(({action}) => action)).size,
    isEverything: allowed.some(({action, path}) => action === everything && path === '*'),
    ...(isOther ? {called} : {}),
  };
};

/**
 * That an account is signed in and may do nothing: which claim of its token counts, and the least role that serves it,
 * with what an administrator applies for that, in the form of the release. Undefined where that is not how it is.
 */
export const noRole = (
  access: Access,
  {platform, controlPlaneUrl, version, contact}: ControlPlane,
  {purpose, ...scope}: Needed = {},
): SetupError | undefined => {
  if (access.kind !== 'none') return undefined;
  const {claim, values, type, isPerson, called} = access;
  const [value] = values;
  const isByGroup = type === 'user';
  const name = called ?? value;
  const who = isPerson ? 'You are' : `${name ?? 'The client'} is`;
  const message = `${who} signed in, but ${controlPlaneUrl} has no role for this account, so it can’t do anything. ${whatCounts(access)}`;
  if (value === undefined) {
    return new SetupError('auth-no-role', message, {
      remedy: `Ask the identity provider’s operators to put “${claim}” into the token, then ask ${administratorOf(platform, version, contact)} to bind a role to it.`,
      about: {url: controlPlaneUrl},
    });
  }
  const role = leastRole(platform, version, purpose);
  const manifest =
    role &&
    roleManifest(
      platform,
      version,
      {claim, value, ...(called && !isByGroup ? {called} : {})},
      {...scope, role: role.name},
    );
  const everyone = isByGroup
    ? `Every member of the group “${value}” gets this role, not only ${isPerson ? 'you' : name}. `
    : '';
  const isMade = role !== undefined && roleDefinition(platform, version, role.name) !== undefined;
  const others = rolesOf(platform, version).filter(({name}) => name !== role?.name);
  const remedy = [
    `Ask ${administratorOf(platform, version, contact)} to apply ${isMade ? 'this role and its binding' : 'this role binding'}.`,
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
          remedy: `${remedy}\n\n${applyCommand(manifest)}`,
        },
  );
};

/** By what a role is bound to an account, and what has no effect. */
const whatCounts = ({claim, values, type, isPerson}: Known): string => {
  if (isPerson && type !== 'user' && values.length > 0) {
    return `The platform finds no group in the token, so roles are bound to its claim “${claim}”, which is ${values.join(', ')}. If it names a group one day, only the roles of that group will count.`;
  }
  const counts =
    values.length === 0
      ? `Roles are bound to the claim “${claim}”, which this token does not have.`
      : `Roles are bound to the claim “${claim}” of the token, which is ${values.join(', ')}.`;
  if (type !== 'user') return counts;
  const name = isPerson ? 'a person’s name, e-mail address' : 'its client ID';
  return `${counts} A binding to ${name} or “sub” has no effect.`;
};

/** Who can give roles: whom the operators name, else the group that may from the start. */
const administratorOf = (platform: Platform, version: string | undefined, contact: string | undefined): string => {
  if (contact !== undefined) return `an administrator (contact: ${cleanText(contact)})`;
  const {roles} = releaseOf(platform, version);
  return roles ? `an administrator (by default, a member of the group “${roles.administrators}”)` : 'an administrator';
};

/**
 * Why an account sees nothing, or was refused, where that is for want of a role.
 *
 * @returns undefined where it has a role, or where that cannot be found out
 */
export const missingRole = async (asked: Asked, run: Run, needed: Needed = {}): Promise<SetupError | undefined> => {
  const access = await readAccess(asked, run);
  if (access.kind !== 'none') return undefined;
  // The form of a role binding is the release's.
  const version = asked.version ?? (await readVersion(asked, run));
  return noRole(access, {...asked, ...(version === undefined ? {} : {version})}, needed);
};

/** The release of a control plane, by what it says or by what it answers. @throws what the signal aborts with */
export const readVersion = async (
  {controlPlaneUrl, platform}: Pick<ControlPlane, 'controlPlaneUrl' | 'platform'>,
  run: Run,
): Promise<string | undefined> => {
  const {ports, signal, tell} = run;
  const url = addressOf(controlPlaneUrl, platform.paths.version);
  try {
    const reply = await ports.http.send({method: 'GET', url}, {signal, report: tell});
    const said = isSuccess(reply) ? textAt(readJson(reply, url), 'version') : undefined;
    return await releaseFor(said, {controlPlaneUrl, platform}, run);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    return undefined;
  }
};

/**
 * What an account may do, in a few words.
 *
 * @returns undefined where the release asks for no role, or does not say
 * @throws SetupError `auth-no-role`; what the signal aborts with
 */
export const requireRole = async (asked: Asked, run: Run, needed: Needed = {}): Promise<string | undefined> => {
  const access = await readAccess(asked, run);
  const missing = noRole(access, asked, needed);
  if (missing) throw missing;
  return access.kind === 'unknown' ? undefined : describeAccess(access);
};

/** The same of what is known already. */
export const describeAccess = (access: Access): string => {
  if (access.kind === 'unknown') return 'the control plane does not say what the account may do';
  const called = access.isPerson ? access.called : access.called && `client ${access.called}`;
  const who = `${access.claim} ${access.values.join(', ')}${called ? ` (${called})` : ''}`;
  if (access.kind === 'none') return `no role for ${who}`;
  if (access.isEverything) return `a role for everything, for ${who}`;
  const where = access.kind === 'all' ? 'the whole platform' : access.paths.join(', ');
  const actions = access.actions === 1 ? '1 kind of action' : `${access.actions} kinds of actions`;
  return `a role for ${actions} in ${where}, for ${who}`;
};
