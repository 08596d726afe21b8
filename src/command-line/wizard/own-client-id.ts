import {hostname, userInfo} from 'node:os';
import type {Env} from '../../ports/ports.ts';

/**
 * What an MCP client of this person on this machine is called, unless they name one: no two people share it, or its
 * secret.
 *
 * @returns such as `mcp_client_ann_build-3`: lower case letters, digits, dashes and underscores, 60 at most
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

/** Who this is to the system. In a cluster an account may have no name. */
const userName = (env: Env): string => {
  try {
    return userInfo().username;
  } catch {
    return env.USER ?? env.USERNAME ?? '';
  }
};
