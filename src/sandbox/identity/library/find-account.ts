import type {Account} from 'oidc-provider';
import type {Users} from '../users.ts';

/** Lets the protocol library see a person as an account with claims (OpenID Connect Core 5.1). */
export const findAccount = (users: Users, id: string): Account | undefined => {
  const user = users.byId(id);
  if (!user) return undefined;
  return {
    accountId: user.id,
    claims: () => ({
      sub: user.id,
      username: user.username,
      given_name: user.givenName,
      family_name: user.familyName,
      email: user.email,
      email_verified: true,
    }),
  };
};
