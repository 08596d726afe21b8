import type {Effect} from './effect.ts';

export const noRefresh: Effect = {
  cliClient: client => ({...client, grantTypes: client.grantTypes.filter(grant => grant !== 'refresh_token')}),
};
