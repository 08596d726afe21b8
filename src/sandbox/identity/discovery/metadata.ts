import type {Hooks} from '../../faults/hooks.ts';
import {sendJson} from '../../http/reply.ts';
import type {Routes} from '../../http/router.ts';
import type {Discovery, Extra} from '../../releases/identity-release.ts';
import {deviceCodeGrant} from '../tokens/grant-types.ts';

type Options = {
  readonly issuer: string;
  readonly discovery: Discovery;
  /** Extras that were asked for, on top of what the release has. */
  readonly extras: readonly Extra[];
  readonly hooks: Pick<Hooks, 'metadata'>;
};

const extraEndpoints: {readonly [E in Extra]: readonly [name: string, path: string]} = {
  revocation: ['revocation_endpoint', '/oauth2/revoke'],
  device: ['device_authorization_endpoint', '/oauth2/device_authorization'],
};

/** The two documents in which a provider describes itself (RFC 8414 3, OpenID Connect Discovery 4). */
export const metadataRoutes = ({issuer, discovery, extras, hooks}: Options): Routes => {
  const {endpoints, members, openIdMembers} = discovery;
  const all = {...endpoints, ...Object.fromEntries(extras.map(extra => extraEndpoints[extra]))};
  const grantTypes = [members.grant_types_supported ?? []].flat();
  const plain = {
    issuer,
    ...Object.fromEntries(Object.entries(all).map(([name, path]) => [name, `${issuer}${path}`])),
    ...members,
    ...(extras.includes('device') && {grant_types_supported: [...grantTypes, deviceCodeGrant]}),
  };
  const document = (metadata: object): Routes[string] => ({
    GET: (_, response) => sendJson(response, 200, hooks.metadata({...metadata})),
  });
  return {
    '/.well-known/oauth-authorization-server': document(plain),
    '/.well-known/openid-configuration': document({...plain, ...openIdMembers}),
  };
};
