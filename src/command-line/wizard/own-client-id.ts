import {hostname, userInfo} from 'node:os';
import type {Env} from '../../ports/ports.ts';

/**
 * Returns the ID of this person's MCP client on this machine, for a person who does not name one. It differs between
 * people, so that no two of them share a client, or its secret.
 *
 * @returns such as `mcp_client_ann_build-3`: at most 60 lower case letters, digits, dashes and underscores
 */
export const ownClientId = (env: Env, user = userName(env), machine = hostname()): string => {
  const [name = ''] = machine.split('.');
  const parts = [user, name].map(one =>
    one
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, ''),
  );
  return ['mcp_client', ...parts.filter(part => part !== '')].join('_').slice(0, 60);
};

/** Returns the user's name in the system. In a cluster an account may have none. */
const userName = (env: Env): string => {
  try {
    return userInfo().username;
  } catch {
    return env.USER ?? env.USERNAME ?? '';
  }
};
