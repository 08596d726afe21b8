import type {JsonObject} from '../answers.ts';
import {namedAddress} from '../named-address.ts';

/**
 * An issuer has no query (RFC 8414 2). People copy it into a shell, so it has no character with a meaning for shells.
 */
const issuer = /^https?:\/\/[\w.~%:/@+,=![\]-]+$/;

/**
 * Returns the identity provider that a resource says it trusts (RFC 9728 2); undefined if that is not a valid address.
 */
export const authorizationServerIn = ({authorization_servers: servers}: JsonObject): string | undefined => {
  const [first] = Array.isArray(servers) ? servers : [];
  return typeof first === 'string' && namedAddress(first) && issuer.test(first) ? first : undefined;
};
