import {expect, test} from 'vitest';
import {findApplication} from '../../../src/flows/sign-in/create-client.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {serve} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

/** Looks for the application of an identity provider that redirects to this address, and records the requests. */
const find = async (location: string | undefined) => {
  const asked: URL[] = [];
  const authUrl = await serve((request, response) => {
    asked.push(new URL(request.url ?? '/', 'http://any'));
    response.writeHead(302, location === undefined ? {} : {Location: location}).end();
  });
  const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
  return {asked, authUrl, found: findApplication(authUrl, bundled, run)};
};

test.each([
  ['a whole address', `http://127.0.0.1:1/signin?applicationId=${id}&flow=x`],
  ['a path', `/signin?applicationId=${id.toUpperCase()}`],
])('the redirect names the application, by %s, and is not followed', async (_what, location) => {
  const {asked, found} = await find(location);
  expect((await found).toLowerCase()).toBe(id);
  expect(asked).toHaveLength(1);
  const {clientId, redirectUri} = bundled.sampleApplication;
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid',
    state: expect.stringMatching(/^[\w-]{22}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
});

test.each([
  ['there is no redirect', undefined],
  ['it names none', '/signin'],
  ['what it names is none', '/signin?applicationId=sample'],
  ['what it names begins like one', `/signin?applicationId=${id}0`],
  ['what it names ends like one', `/signin?applicationId=0${id}`],
  ['it leads nowhere', 'http://['],
])('nothing is told where %s, and the person can copy it', async (_what, location) => {
  const {authUrl, found} = await find(location);
  await expect(worded(found)).rejects.toMatchObject({
    code: 'auth-application-unknown',
    message: `${authUrl} doesn’t reveal the Application ID of “Sample App”.`,
    remedy: `Copy it from the developer portal, ${authUrl}/develop. Pass it with --application-id.`,
    about: {url: authUrl, flag: 'application-id'},
  });
});
