import {SandboxInputError} from '../sandbox-input-error.ts';
import {roles} from './roles.ts';

/**
 * A role for everybody whose token has a value in a claim, everywhere, in one namespace, or in one project of it. As on
 * the platform, `sub` counts for clients and `groups` for people; any other pair of them can be bound, to no effect.
 */
export type RoleBinding = {
  readonly claim: string;
  readonly value: string;
  readonly role: string;
  readonly namespace?: string;
  /** A project of that namespace, or of `default` where none is named. */
  readonly project?: string;
};

export type Bindings = {
  list(): readonly RoleBinding[];
  /** @throws SandboxInputError for a role that does not exist */
  add(binding: RoleBinding): void;
};

export const createBindings = (given: readonly RoleBinding[]): Bindings => {
  const bindings = [...given];
  return {
    list: () => bindings,
    add(binding) {
      const known = Object.keys(roles);
      if (!known.includes(binding.role)) {
        throw new SandboxInputError(`There is no role ${binding.role}. Known: ${known.join(', ')}.`);
      }
      bindings.push(binding.project === undefined ? binding : {namespace: 'default', ...binding});
    },
  };
};
