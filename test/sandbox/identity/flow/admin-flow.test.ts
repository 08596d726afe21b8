import {describe, expect, test} from 'vitest';
import {connectedClient} from '../../mcp/mcp-client.ts';
import {bearer, claimsOf, runningSandbox, send} from '../../support.ts';

/** Every step of platform access 4.4, with the bodies of 2.1 and 2.2, as a person with curl would take it. */
describe.each(['single', 'multi'] as const)(
  'from the developer portal to both MCP servers, %s layout',
  async layout => {
    const {ready} = await runningSandbox({layout});

    test('a new MCP client gets a token that both servers take', async () => {
      const signedIn = await send(`${ready.authUrl}/develop/signin`, {form: ready.admin});
      const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      const portal = await send(`${ready.authUrl}${signedIn.headers.location}`, {headers: {cookie}});
      const applicationId = /Application ID of Sample App<\/p>\s*<code>([^<]+)</.exec(portal.text)?.[1] ?? '';
      expect(applicationId).toBe(ready.applicationId);

      const flow = await send(`${ready.authUrl}/flow/execute`, {
        json: {
          applicationId,
          flowType: 'AUTHENTICATION',
          inputs: {username: 'admin', password: 'admin', requested_permissions: 'system'},
        },
      });
      expect(flow.status).toBe(200);
      const {assertion} = flow.json;

      const created = await send(`${ready.authUrl}/applications`, {
        headers: bearer(assertion),
        json: {
          name: 'MCP client',
          description: 'MCP client application to use the MCP servers',
          auth_flow_graph_id: 'auth_flow_config_basic',
          inbound_auth_config: [
            {
              type: 'oauth2',
              config: {
                client_id: 'mcp_client',
                client_secret: 'mcp_client_secret',
                grant_types: ['client_credentials'],
                token_endpoint_auth_method: 'client_secret_basic',
                token: {issuer: ready.authUrl, access_token: {validity_period: 3600}},
              },
            },
          ],
        },
      });
      expect(created.status).toBe(201);

      const token = await send(`${ready.authUrl}/oauth2/token`, {
        headers: {authorization: `Basic ${Buffer.from('mcp_client:mcp_client_secret').toString('base64')}`},
        form: {grant_type: 'client_credentials'},
      });
      expect(token).toMatchObject({
        status: 200,
        json: {access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600},
      });
      expect(Object.keys(token.json).sort()).toEqual(['access_token', 'expires_in', 'token_type']);

      expect(await toolNames(ready.controlPlaneUrl, token.json.access_token)).toContain('list_components');
      expect(await toolNames(ready.observerUrl, token.json.access_token)).toContain('query_component_logs');
    });

    test('the assertion is for the application and holds the permission', async () => {
      const inputs = {...ready.admin, requested_permissions: 'system'};
      const body = {applicationId: ready.applicationId, flowType: 'AUTHENTICATION', inputs};
      const {assertion} = (await send(`${ready.authUrl}/flow/execute`, {json: body})).json;
      expect(claimsOf(assertion)).toMatchObject({
        iss: ready.authUrl,
        aud: ready.applicationId,
        authorized_permissions: 'system',
        assurance: {aal: 'AAL1'},
      });
    });
  },
);

const toolNames = async (serviceUrl: string, token: string) => {
  const {tools} = await (await connectedClient(serviceUrl, token)).listTools();
  return tools.map(tool => tool.name);
};
