import type {Grant, KoaContextWithOIDC} from 'oidc-provider';
import type {Users} from '../users.ts';

/**
 * Grants a client everything that it asks for in a person's name: these are the platform's own clients, and nobody is
 * asked for consent. A scope that names a permission which the person does not have is left out.
 */
export const wholeGrant = async (ctx: KoaContextWithOIDC, users: Users): Promise<Grant | undefined> => {
  const {client, account, provider, requestParamOIDCScopes, requestParamScopes, resourceServers} = ctx.oidc;
  if (!client || !account) return undefined;
  const grant = new provider.Grant({clientId: client.clientId, accountId: account.accountId});
  const permissions = users.byId(account.accountId)?.permissions ?? [];
  const requested = [...requestParamScopes];
  const refused = requested.filter(scope => scope === 'system' && !permissions.includes(scope));
  grant.addOIDCScope([...requestParamOIDCScopes].join(' '));
  for (const resource of Object.keys(resourceServers ?? {})) {
    grant.addResourceScope(resource, requested.filter(scope => !refused.includes(scope)).join(' '));
    // What is refused counts as answered; else the library would ask again and again.
    grant.rejectResourceScope(resource, refused.join(' '));
  }
  await grant.save();
  return grant;
};
