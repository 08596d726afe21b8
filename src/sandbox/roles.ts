import type {JWTPayload} from 'jose';
import {SandboxInputError} from './values.ts';

/** The roles of a release. */
export type Roles = {
  /** The role that may do everything. */
  readonly administrator: string;
  /** Every action of the release. `*` stands for all of them. */
  readonly actions: readonly string[];
  /** The actions that each role allows, under the platform's names. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
};

/** Returns the actions in a text with one kind of object per line: `component: view create`. */
export const actionsIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .flatMap(line => {
      const [kind = '', verbs = ''] = line.split(': ');
      return verbs.split(' ').map(verb => `${kind}:${verb}`);
    });

/**
 * Returns the actions that a role allows, each by its own name: `*` stands for all, `component:*` for all of
 * components.
 */
export const allowedBy = ({actions, roles}: Roles, role: string): readonly string[] =>
  (roles[role] ?? []).flatMap(allowed => {
    if (allowed === '*') return actions;
    return allowed.endsWith(':*') ? actions.filter(one => one.startsWith(allowed.slice(0, -1))) : [allowed];
  });

/**
 * A role for everyone whose token has a value in a claim: everywhere, in one namespace, or in one of its projects. As
 * on the platform, members of a group are known by `groups`, and everyone else by `sub`. A binding of any other claim
 * has no effect.
 */
export type RoleBinding = {
  /** The name of the object that binds it, if it has one. */
  readonly name?: string;
  readonly claim: string;
  readonly value: string;
  /** By default, the role that may do everything. */
  readonly role?: string;
  readonly namespace?: string;
  /** A project of that namespace, or of `default` if no namespace is named. */
  readonly project?: string;
};

/** A binding in force. */
export type BoundRole = RoleBinding & {readonly role: string};

export type Bindings = {
  list(): readonly BoundRole[];
  /** @throws SandboxInputError for a role that does not exist */
  add(binding: RoleBinding): void;
  /** Deletes the bindings of this name. Returns whether there were any. */
  remove(name: string): boolean;
  /** Creates a role, or replaces the one of this name. */
  define(role: string, actions: readonly string[]): void;
  /** Deletes a role. */
  undefine(role: string): void;
  /** Returns all roles, including those created since the start. */
  known(): Roles;
};

/** Creates the bindings of a sandbox: those given, and the roles of its release. */
export const createBindings = (initial: readonly BoundRole[], ofRelease: Roles): Bindings => {
  let bindings = [...initial];
  let known = ofRelease;
  return {
    list: () => bindings,
    known: () => known,
    define(role, actions) {
      known = {...known, roles: {...known.roles, [role]: actions}};
    },
    undefine(role) {
      const {[role]: _, ...roles} = known.roles;
      known = {...known, roles};
    },
    remove(name) {
      const others = bindings.filter(one => one.name !== name);
      const isThere = others.length < bindings.length;
      bindings = others;
      return isThere;
    },
    add(binding) {
      const bound = {...binding, role: binding.role ?? known.administrator};
      const names = Object.keys(known.roles);
      if (!names.includes(bound.role)) {
        throw new SandboxInputError(`There is no role ${bound.role}. Known: ${names.join(', ')}.`);
      }
      bindings.push(bound.project === undefined ? bound : {namespace: 'default', ...bound});
    },
  };
};

/**
 * The place of an object. An object outside any project is visible only with a role that is not limited to a project.
 */
export type RolePlace = {readonly namespace?: string; readonly project?: string};

/** The permissions of a caller at the moment. */
export type Access = {
  may(action: string, where: RolePlace): boolean;
  /** Whether the action is allowed anywhere. */
  mayAnywhere(action: string): boolean;
  /** Returns the answer of `/api/v1/authz/profile`, for all places or for one namespace. */
  profile(namespace?: string): Profile;
};

/** The places where each action is allowed. */
export type Capabilities = Readonly<
  Record<string, {readonly allowed: readonly object[]; readonly denied: readonly never[]}>
>;

export type Profile = {readonly capabilities?: Capabilities};

/** Access to everything, for releases that have no roles. */
export const fullAccess: Access = {may: () => true, mayAnywhere: () => true, profile: () => ({})};

/** Returns what the bearer of a token may do. Each call uses the bindings then in force. */
export const accessOf = (claims: JWTPayload, bindings: Bindings): Access => {
  const {type, claim, values} = entitlementOf(claims);
  const mine = () => bindings.list().filter(binding => binding.claim === claim && values.includes(binding.value));
  const allowing = (action: string) => mine().filter(({role}) => allowedBy(bindings.known(), role).includes(action));
  return {
    may: (action, where) => allowing(action).some(binding => covers(binding, where)),
    mayAnywhere: action => allowing(action).length > 0,
    profile: namespace => ({
      capabilities: capabilitiesOf(
        mine().filter(binding => namespace === undefined || (binding.namespace ?? namespace) === namespace),
        bindings.known(),
      ),
      evaluatedAt: new Date().toISOString(),
      user: {type, entitlement_claim: claim, entitlement_values: values},
    }),
  };
};

/**
 * Returns how the platform knows a caller: by groups, if there are any, otherwise by the subject (a client, or a person
 * without a group).
 */
const entitlementOf = ({sub, groups}: JWTPayload) => {
  const named = [groups].flat().filter(one => typeof one === 'string' && one !== '');
  return named.length > 0
    ? {type: 'user', claim: 'groups', values: named}
    : {type: 'service_account', claim: 'sub', values: sub === undefined ? [] : [sub]};
};

const covers = (binding: BoundRole, {namespace, project}: RolePlace) =>
  (binding.namespace === undefined || binding.namespace === namespace) &&
  (binding.project === undefined || binding.project === project);

const capabilitiesOf = (bindings: readonly BoundRole[], roles: Roles) => {
  const capabilities: Record<string, {allowed: {path: string}[]; denied: never[]}> = {};
  for (const binding of bindings) {
    for (const action of allowedBy(roles, binding.role)) {
      capabilities[action] ??= {allowed: [], denied: []};
      capabilities[action].allowed.push({path: pathOf(binding)});
    }
  }
  return capabilities;
};

const pathOf = ({namespace, project}: BoundRole) => {
  if (namespace === undefined) return '*';
  return project === undefined ? `ns/${namespace}` : `ns/${namespace}/project/${project}`;
};
