import type {JsonObject} from '../answers.ts';
import {namedAddress} from '../named-address.ts';

/** An issuer has no query (RFC 8414 2), and what a person copies into a shell has nothing that a shell acts on. */
const issuer = /^https?:\/\/[\w.~%:/@+,=![\]-]+$/;

/** The identity provider that a resource says it trusts (RFC 9728 2); undefined for what is no address of one. */
export const authorizationServerIn = ({authorization_servers: servers}: JsonObject): string | undefined => {
  const [first] = Array.isArray(servers) ? servers : [];
  return typeof first === 'string' && namedAddress(first) && issuer.test(first) ? first : undefined;
};
