import {describe, expect, test} from 'vitest';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import type {Sandbox} from '../../../src/sandbox/sandbox.ts';
import {SandboxInputError} from '../../../src/sandbox/values.ts';
import {holdPort, isRefused, reservedPort} from '../../e2e/support/ports.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {cli, redeem, signIn} from '../identity/browser.ts';
import {adminToken, applicationOf, bearer, runningSandbox, send, serviceToken} from '../support.ts';
import {healthy, type Shown, shows} from './shows.ts';
import {surveyOf} from './survey.ts';

const broken = async (...faults: FaultName[]) => {
  const redirectUri = `http://127.0.0.1:${await reservedPort()}/auth-callback`;
  const sandbox = await runningSandbox({redirectUri, faults});
  return {sandbox, redirectUri, survey: () => surveyOf(sandbox.ready, redirectUri)};
};

/** Operators cannot mend this: the person has to trust the certificate. */
const left: {readonly [F in Shown]?: FaultName} = {'expired-certificate': 'self-signed', 'self-signed': 'self-signed'};

describe('mending', () => {
  test.each(rowsOfTable(Object.keys(shows) as Shown[]))('%s leaves nothing of it', async fault => {
    const {sandbox, survey} = await broken(fault);
    await sandbox.mend();
    expect(await survey()).toEqual({...healthy, ...(left[fault] ? shows['self-signed'] : {})});
    expect(sandbox.ready.faults).toEqual(left[fault] ? [left[fault]] : []);
  });

  test('slow-idp has the provider answer at once', async () => {
    const {sandbox} = await broken('slow-idp');
    await sandbox.mend();
    expect(await serviceToken(sandbox.ready)).toMatch(/\./);
  });

  test('one leaves the others, and what it hid is met', async () => {
    const {sandbox, survey} = await broken('idp-down', 'mcp-401', 'mcp-403');
    await sandbox.mend(['idp-down']);
    expect(await survey()).toEqual({...healthy, ...shows['mcp-401']});
    await sandbox.mend(['mcp-401', 'no-pkce']);
    expect(await survey()).toEqual({...healthy, ...shows['mcp-403']});
    expect(sandbox.ready.faults).toEqual(['mcp-403']);
  });

  test('several at the same client takes back each by itself', async () => {
    const {sandbox, survey} = await broken('missing-redirect', 'no-refresh', 'refresh-refused');
    await sandbox.mend(['missing-redirect']);
    expect(await survey()).toEqual({...healthy, ...shows['no-refresh'], lifetime: 35});
    await sandbox.mend(['refresh-refused']);
    expect(await survey()).toEqual({...healthy, ...shows['no-refresh']});
  });

  test('keeps the ports, the IDs, the secrets and the tokens that were given', async () => {
    const {sandbox} = await broken('observer-missing', 'missing-redirect', 'no-refresh', 'mcp-401');
    const before = sandbox.ready;
    const token = await serviceToken(before);
    await sandbox.mend();
    const after = sandbox.ready;
    expect({...after, clients: undefined}).toEqual({...before, clients: undefined, faults: []});
    const unchanged = ({clients}: Sandbox['ready']) => clients.filter(({clientId}) => clientId !== cli.client_id);
    expect(unchanged(after)).toEqual(unchanged(before));
    expect(await send(`${after.controlPlaneUrl}/api/v1/namespaces`, {headers: bearer(token)})).toMatchObject({
      status: 200,
    });
  });

  test('keeps what people have done meanwhile', async () => {
    const {sandbox, redirectUri} = await broken('missing-redirect', 'mcp-403');
    const {authUrl} = sandbox.ready;
    const headers = bearer(await adminToken(sandbox.ready));
    const created = await send(`${authUrl}/applications`, {json: applicationOf('Mine', 'mine'), headers});
    expect(created.status).toBe(201);
    const listed = async () => (await send(`${authUrl}/applications`, {headers})).json.applications;
    const removed = await send(`${authUrl}/applications/${sandbox.ready.applicationId}`, {method: 'DELETE', headers});
    expect(removed.status).toBe(204);
    const before = await listed();
    await sandbox.mend(['mcp-403']);
    expect(await listed()).toEqual(before);
    await sandbox.mend(['missing-redirect']);
    expect((await listed()).map(({id}: {id: string}) => id)).toEqual(before.map(({id}: {id: string}) => id));
    const granted = await signIn(sandbox.ready, sandbox.ready.admin, {redirect_uri: redirectUri});
    expect(await redeem(sandbox.ready, granted, {redirect_uri: redirectUri})).toMatchObject({status: 200});
  });

  test('a client that somebody has registered meanwhile replaces none by a second one', async () => {
    const {sandbox} = await broken('unknown-client');
    const headers = bearer(await adminToken(sandbox.ready));
    const own = applicationOf('CLI, by hand', cli.client_id);
    const {json} = await send(`${sandbox.ready.authUrl}/applications`, {json: own, headers});
    await sandbox.mend();
    const {applications} = (await send(`${sandbox.ready.authUrl}/applications`, {headers})).json;
    const ids = applications.filter((one: {client_id?: string}) => one.client_id === cli.client_id);
    expect(ids.map(({id}: {id: string}) => id)).toEqual([json.id]);
  });

  test('a renewed certificate is offered for trust', async () => {
    const {sandbox} = await broken('expired-certificate');
    expect(sandbox.ready.authority).toBeUndefined();
    await sandbox.mend();
    expect(sandbox.ready.authority).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  test('an observer whose port another program has taken meanwhile stays missing, and all else as it is', async () => {
    const {sandbox, redirectUri} = await broken('observer-missing', 'missing-redirect', 'port-taken');
    const port = Number(new URL(sandbox.ready.observerUrl).port);
    const release = await holdPort(port);
    const before = sandbox.ready;
    await expect(sandbox.mend()).rejects.toMatchObject({code: 'EADDRINUSE', port});
    expect(sandbox.ready).toEqual(before);
    expect(await isRefused(Number(new URL(redirectUri).port))).toBe(false);
    await release();
    await sandbox.mend();
    expect(sandbox.ready.faults).toEqual([]);
  });
});

describe('what is raised while it runs', () => {
  test.each(rowsOfTable(Object.keys(shows).filter(name => left[name as Shown] === undefined) as Shown[], 1))(
    '%s shows as from the start',
    async fault => {
      const {sandbox, survey} = await broken();
      await sandbox.raise([fault]);
      expect(await survey()).toEqual({...healthy, ...shows[fault]});
      expect(sandbox.ready.faults).toEqual([fault]);
      await sandbox.mend();
      expect(await survey()).toEqual(healthy);
    },
  );

  test('a certificate begins with the sandbox only, as the addresses do', async () => {
    const {sandbox, survey} = await broken();
    await expect(sandbox.raise(['self-signed', 'mcp-401'])).rejects.toBeInstanceOf(SandboxInputError);
    expect(await survey()).toEqual(healthy);
    const secure = await broken('self-signed');
    await secure.sandbox.raise(['expired-certificate']);
    expect(await secure.survey()).toEqual({...healthy, ...shows['expired-certificate']});
  });
});
