import {describe, expect, test} from 'vitest';
import {bearer, claimsOf, clientOf, runningSandbox, send} from '../support.ts';
import {releaseNames} from './recorded.ts';

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'test', version: '1'}},
};

const platformOf = async (options: Parameters<typeof runningSandbox>[0]) => {
  const {ready} = await runningSandbox(options);
  const {clientId, clientSecret} = clientOf(ready, 'service_account');
  const ask = (resource?: string) =>
    send(`${ready.authUrl}/oauth2/token`, {
      form: {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        ...(resource !== undefined && {resource}),
      },
    });
  /** Returns how each of the two servers answers a token for a resource. */
  const answers = async (resource?: string) => {
    const {status, json} = await ask(resource);
    if (status !== 200) return json.error;
    const [controlPlane, observer] = await Promise.all(
      [ready.controlPlaneUrl, ready.observerUrl].map(url =>
        send(`${url}/mcp`, {json: initialize, headers: bearer(json.access_token)}),
      ),
    );
    return [claimsOf(json.access_token).aud, controlPlane?.status, observer?.status];
  };
  return {
    answers,
    controlPlane: `${ready.controlPlaneUrl}/mcp`,
    observer: `${ready.observerUrl}/mcp`,
    elsewhere: 'https://elsewhere.example/mcp',
    clientId,
  };
};

describe.each(releaseNames)('in release %s', release => {
  test('each server can be a resource of its own', async () => {
    const {answers, controlPlane, observer, elsewhere, clientId} = await platformOf({release, resources: 'each'});
    expect(await answers(controlPlane)).toEqual([controlPlane, 200, 401]);
    expect(await answers(observer)).toEqual([observer, 401, 200]);
    expect(await answers(elsewhere)).toBe('invalid_target');
    expect(await answers()).toEqual([clientId, 401, 401]);
  });

  test('one resource can be that of both', async () => {
    const {answers, controlPlane, observer} = await platformOf({release, resources: 'one'});
    expect(await answers(controlPlane)).toEqual([controlPlane, 200, 200]);
    expect(await answers(observer)).toBe('invalid_target');
  });

  test('without an option the release decides', async () => {
    const {answers, controlPlane, elsewhere, clientId} = await platformOf({release});
    expect(await answers()).toEqual([clientId, 200, 200]);
    for (const resource of [controlPlane, elsewhere]) {
      expect(await answers(resource)).toEqual(release === 'next' ? 'invalid_target' : [resource, 200, 200]);
    }
  });
});
