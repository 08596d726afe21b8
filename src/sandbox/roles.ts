import type {JWTPayload} from 'jose';
import {SandboxInputError} from './values.ts';

/** The roles that a release comes with. */
export type Roles = {
  /** The role that may do everything. */
  readonly administrator: string;
  /** Every action that the release knows, which `*` stands for. */
  readonly actions: readonly string[];
  /** What each role allows, by the names that the platform gives to actions. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
};

/** Actions, written with a kind of object to the line: `component: view create`. */
export const actionsIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .flatMap(line => {
      const [kind = '', verbs = ''] = line.split(': ');
      return verbs.split(' ').map(verb => `${kind}:${verb}`);
    });

/** The actions that a role allows, each by its own name: `*` is all, `component:*` all of components. */
export const allowedBy = ({actions, roles}: Roles, role: string): readonly string[] =>
  (roles[role] ?? []).flatMap(allowed => {
    if (allowed === '*') return actions;
    return allowed.endsWith(':*') ? actions.filter(one => one.startsWith(allowed.slice(0, -1))) : [allowed];
  });

/**
 * A role for everybody whose token has a value in a claim, everywhere, in one namespace, or in one project of it. As on
 * the platform, `groups` counts for who is in one, and `sub` for everybody else; any other claim can be bound, to no effect.
 */
export type RoleBinding = {
  readonly claim: string;
  readonly value: string;
  /** The one that may do everything unless another is named. */
  readonly role?: string;
  readonly namespace?: string;
  /** A project of that namespace, or of `default` where none is named. */
  readonly project?: string;
};

/** A binding as it is in force. */
export type BoundRole = RoleBinding & {readonly role: string};

export type Bindings = {
  list(): readonly BoundRole[];
  /** @throws SandboxInputError for a role that does not exist */
  add(binding: RoleBinding): void;
  /** Makes a role that the release does not come with. */
  define(role: string, actions: readonly string[]): void;
  /** The roles that there are by now. */
  known(): Roles;
};

/** Roles that are bound, of those that there are. */
export const createBindings = (given: readonly BoundRole[], ofRelease: Roles): Bindings => {
  const bindings = [...given];
  let known = ofRelease;
  return {
    list: () => bindings,
    known: () => known,
    define(role, actions) {
      known = {...known, roles: {...known.roles, [role]: actions}};
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

/** Where something lies. What lies in no project is seen only by whose role is not limited to one. */
export type Place = {readonly namespace?: string; readonly project?: string};

/** What somebody may do at this moment. */
export type Access = {
  may(action: string, where: Place): boolean;
  /** Whether there is a place at all where it is allowed. */
  mayAnywhere(action: string): boolean;
  /** What `/api/v1/authz/profile` answers, of all places or of one namespace. */
  profile(namespace?: string): Profile;
};

/** Where each action is allowed. */
export type Capabilities = Readonly<
  Record<string, {readonly allowed: readonly object[]; readonly denied: readonly never[]}>
>;

export type Profile = {readonly capabilities?: Capabilities};

/** Everything, for everybody: where roles do not count. */
export const wholeAccess: Access = {may: () => true, mayAnywhere: () => true, profile: () => ({})};

/** What the bearer of a token may do, by the bindings that are in force when it is asked. */
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

/** Whoever is in a group is known by that, and everybody else by the subject: a client, and a person of no group. */
const entitlementOf = ({sub, groups}: JWTPayload) => {
  const named = [groups].flat().filter(one => typeof one === 'string' && one !== '');
  return named.length > 0
    ? {type: 'user', claim: 'groups', values: named}
    : {type: 'service_account', claim: 'sub', values: sub === undefined ? [] : [sub]};
};

const covers = (binding: BoundRole, {namespace, project}: Place) =>
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
