import {createRemoteJWKSet, type JWTPayload, jwtVerify} from 'jose';
import {onTestFinished} from 'vitest';
import {z} from 'zod';
import {bundled} from '../../../src/platform/platforms.ts';
import {mcpEndpoint} from '../../../src/sandbox/mcp-endpoint.ts';
import {type Handler, json, openServer} from '../../support/server.ts';

type Settings = {
  /** The issuer that the control plane trusts. */
  issuer: string;
  /** The client that it names for people. Undefined for none. */
  clientId?: string;
  scopes?: readonly string[];
  /** True if it checks only the issuer of a token, as many servers do. */
  takesAnyAudience?: boolean;
};

/**
 * Starts a control plane that trusts an identity provider: it accepts access tokens that this provider signed for its
 * MCP server. Its only tool says whose token it got.
 */
export const controlPlaneForTest = async () => {
  const controlPlane = await openControlPlane();
  onTestFinished(controlPlane.close);
  return controlPlane;
};

/** Starts the same for several tests. */
export const openControlPlane = async () => {
  const settings: Settings = {issuer: 'https://not.said.yet.example'};
  const taken: JWTPayload[] = [];
  const refused: string[] = [];
  let subject = '';
  const endpoint = mcpEndpoint({
    serverInfo: {name: 'control-plane', title: 'Control plane', version: '1.0.0'},
    instructions: '',
    accessOf: () => ({}) as never,
    hidesTools: false,
    hasToolSets: false,
    noSession: {status: 400, text: ''},
    registerTools: server => {
      const tool = server.registerTool(
        'who_am_i',
        {description: 'Whose token it is', inputSchema: z.object({})},
        () => ({
          content: [{type: 'text', text: subject}],
        }),
      );
      return new Map([['who_am_i', {tool}]]);
    },
  });

  const mcp: Handler = async (request, response) => {
    const {issuer, takesAnyAudience} = settings;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    try {
      const audience = takesAnyAudience ? {} : {audience: `${url}/mcp`};
      const {payload} = await jwtVerify(token, createRemoteJWKSet(await keysOf(issuer)), {issuer, ...audience});
      taken.push(payload);
      subject = String(payload.preferred_username ?? payload.sub);
      endpoint.serve(payload)(request, response);
    } catch (error) {
      // A request without a token only asks for the challenge.
      if (token !== '') refused.push(error instanceof Error ? error.message : String(error));
      const headers = {
        'WWW-Authenticate': `Bearer resource_metadata="${url}${bundled.paths.protectedResource}", error="invalid_token"`,
        'Content-Type': 'application/json',
      };
      response.writeHead(401, headers).end(JSON.stringify({error: 'INVALID_TOKEN'}));
    }
  };

  const {port, close} = await openServer((request, response) => {
    const {issuer, clientId, scopes = bundled.cliClient.scopes} = settings;
    const named = clientId === undefined ? [] : [{name: bundled.cliClient.name, client_id: clientId, scopes}];
    const {pathname} = new URL(request.url ?? '/', 'http://any');
    const routes: Readonly<Record<string, Handler>> = {
      [bundled.paths.health]: json({status: 'OK'}),
      [bundled.paths.version]: json({name: bundled.recognition.versionName, version: '1.3.0'}),
      [bundled.paths.protectedResource]: json({
        resource: `${url}${bundled.paths.mcp}`,
        resource_name: bundled.recognition.resourceNames[0],
        authorization_servers: [issuer],
        [bundled.externalClientsKey]: named,
      }),
      [bundled.paths.mcp]: mcp,
    };
    const handler = routes[pathname] ?? json({error: 'NOT_FOUND'}, 404);
    handler(request, response);
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    close: async () => {
      await endpoint.close();
      await close();
    },
    /** The audience that its tokens must have. */
    audience: `${url}${bundled.paths.mcp}`,
    /** Changes the trusted identity provider and the named client. */
    trust: (changed: Settings) => void Object.assign(settings, changed),
    /** The claims of every accepted token, and the reasons for refusing others. */
    taken,
    refused,
  };
};

/** Returns the address of an identity provider's keys, from its metadata. */
const keysOf = async (issuer: string): Promise<URL> => {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const {jwks_uri: keys} = (await (await fetch(address)).json()) as {jwks_uri: string};
  return new URL(keys);
};

export type ControlPlane = Awaited<ReturnType<typeof openControlPlane>>;
