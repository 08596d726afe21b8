import {SandboxInputError} from '../sandbox-input-error.ts';
import type {Roles} from './roles.ts';

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
