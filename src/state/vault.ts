import type {SecretName} from '../domain/secret-names.ts';
import type {Vault} from '../ports/storage.ts';

/** Secrets typed or passed in this run, gone with the process. */
export const createVault = (): Vault => {
  const secrets = new Map<SecretName, string>();
  return {
    get: name => secrets.get(name),
    set: (name, value) => {
      if (value === undefined) secrets.delete(name);
      else secrets.set(name, value);
    },
  };
};
