import type {JWTPayload} from 'jose';
import type {Bindings, BoundRole} from './bindings.ts';
import {allowedBy, type Roles} from './roles.ts';

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
