import type {JsonObject} from '../answers.ts';

/** The identity provider that a resource says it trusts (RFC 9728 2). */
export const authorizationServerIn = ({authorization_servers: servers}: JsonObject): string | undefined => {
  const [first] = Array.isArray(servers) ? servers : [];
  return typeof first === 'string' && URL.canParse(first) ? first : undefined;
};
