import {expect} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import type {Credentials} from '../../../src/domain/credentials.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {type SaidRequest, scopesOfClient} from '../../../src/domain/token-request.ts';
import {checksOf} from '../../../src/flows/diagnosis/all-checks.ts';
import type {Subject} from '../../../src/flows/diagnosis/check.ts';
import {diagnose} from '../../../src/flows/diagnosis/diagnose.ts';
import {obtainToken} from '../../../src/flows/sign-in/client-credentials.ts';
import {storeSignIn} from '../../../src/flows/sign-in/save-sign-in.ts';
import {signInPerson} from '../../../src/flows/sign-in/sign-in-person.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {reservedPort} from '../../e2e/support/ports.ts';
import {saysWhatToDo} from '../../errors/remedies.ts';
import {navigate, signInAt} from '../../support/browser.ts';
import {collect} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {clientOf, runningPlatform} from '../../support/platform.ts';

/** The person or program that asks: a person before a sign-in, a signed-in person, or an MCP client. */
export type Who = 'nobody' | 'person' | 'client';

/** Returns what is known of the machine on which a diagnosis runs. */
export const machineWith = (redirectUri: string) =>
  ({
    ...{node: '24.0.0', version: '0.1.0', distrusts: false, assistants: [], redirectUri},
    place: {home: '/nowhere', project: '/nowhere', system: 'linux', env: {}},
    own: {command: 'node', args: []},
    startsOf: () => [],
  }) as const;

/** Diagnoses a deployment, and sorts the outcomes. */
export const diagnosed = async (subject: Subject, redirectUri: string, ports: Ports) => {
  const {outcomes} = (
    await collect(diagnose, {subject, machine: machineWith(redirectUri), checks: checksOf(subject)}, ports)
  ).result;
  // Holds for every diagnosis: each remedy says something that the person can do.
  for (const {remedy} of outcomes)
    if (remedy !== undefined) expect(remedy.split(/(?<=\.) /).some(saysWhatToDo), remedy).toBe(true);
  const of = (verdict: string) => outcomes.filter(one => one.verdict === verdict);
  return {outcomes, failed: of('fail'), warned: of('warning'), skipped: of('skipped')};
};

export type Diagnosed = Awaited<ReturnType<typeof diagnosed>>;

/** Starts a sandbox, and makes a person or a client with a machine that uses it. */
export const sceneOf = async (who: Who, faults: readonly FaultName[] = []) => {
  const redirectUri = `http://127.0.0.1:${await reservedPort()}/auth-callback`;
  const sandbox = await runningPlatform('single', {redirectUri, faults});
  const {ready} = sandbox;
  const home = await temporaryDirectory();
  const {controlPlaneUrl, observerUrl, authUrl} = ready;
  const addresses = {controlPlaneUrl, observerUrl, authUrl, issuer: authUrl};
  const {clientId, secret} =
    who === 'client' ? clientOf(ready, 'client_secret_basic') : {clientId: 'platform-cli', secret: ''};
  const context: Context = {
    ...{name: 'acme', platform: 'bundled', baseDomain: ready.baseDomain, layout: 'single', ...addresses},
    ...{signIn: who === 'client' ? 'mcp-client' : 'browser', clientId, redirectUri},
  };
  const subject: Subject = {platform: bundled, ...addresses, ...(who === 'nobody' ? {} : {context})};
  // Includes what the sign-in added to the saved context, such as the resource.
  const subjectNow = async () => {
    const kept = (await newPorts().config.read()).contexts.find(({name}) => name === context.name);
    return subject.context && kept ? {...subject, context: kept} : subject;
  };
  let clockOffset = 0;
  // Returns the ports of a new run of the program, as each run gets them from the machine.
  const newPorts = (): Ports => {
    const ports = portsIn(home);
    return {
      ...ports,
      clock: {...ports.clock, now: () => ports.clock.now() + clockOffset},
      // The system's resolver would look up names on the network that do not exist there.
      network: {...ports.network, resolve: async () => ({addresses: ['127.0.0.1'], bySystem: []})},
    };
  };

  const signInAsPerson = async (ports: Ports, requested?: SaidRequest) => {
    const {signal, abort} = aborting();
    const open = async (url: string) => {
      // A person who meets an error page in the browser returns and cancels.
      void signInAt(url).then(navigate).catch(abort);
      return true;
    };
    const browser = {obstacle: () => undefined, open};
    const input = {
      platform: bundled,
      controlPlaneUrl,
      issuer: authUrl,
      by: 'browser',
      redirectUri,
      open: true,
      requested,
    } as const;
    const {client, token} = (await collect(signInPerson, input, {...ports, browser}, signal)).result;
    const {scopes, resource} = client;
    await storeSignIn({context: {...context, scopes, ...(resource ? {resource} : {})}, token}, ports);
  };
  const signInAsClient = async (ports: Ports, requested?: SaidRequest) => {
    const clientSecret = new Secret(secret);
    const request = {issuer: authUrl, clientId, method: 'mcp-client', secret: clientSecret} as const;
    // A client's scopes belong to a resource.
    const asked = requested
      ? {scopes: scopesOfClient(requested.scopes ?? []), resource: `${controlPlaneUrl}/mcp`}
      : undefined;
    const {result: token} = await collect(obtainToken, {...request, ...(asked && {wanted: asked})}, ports);
    await storeSignIn({context: {...context, ...asked}, token, clientSecret}, ports);
  };

  /** Diagnoses from a wizard that has signed in as a service account and has saved nothing yet. */
  const diagnoseUnderWay = async () => {
    const ports = newPorts();
    const {clientId, secret} = clientOf(ready, 'client_secret_post');
    const method = 'service-account';
    const clientSecret = new Secret(secret);
    const request = {issuer: authUrl, clientId, method, secret: clientSecret} as const;
    const {result: token} = await collect(obtainToken, request, ports);
    const unsaved = {method, clientId, token, secrets: [clientSecret]} as const;
    const found = await diagnosed({platform: bundled, ...addresses, unsaved}, redirectUri, ports);
    return {...found, token: token.access.reveal()};
  };

  return {
    ...{sandbox, ready, context, home, redirectUri, newPorts, diagnoseUnderWay},
    diagnose: async () => diagnosed(await subjectNow(), redirectUri, newPorts()),
    /** Signs in as `npx setup login` does. */
    signIn: (requested?: SaidRequest) =>
      who === 'client' ? signInAsClient(newPorts(), requested) : signInAsPerson(newPorts(), requested),
    /** Saves credentials without a sign-in. */
    async keep(credentials: Partial<Credentials>) {
      const {config, credentials: store} = newPorts();
      await config.saveContext(context);
      await store.replace(context, {issuer: authUrl, clientId, ...credentials});
    },
    /** Lets time pass, so that the access token has to be renewed. */
    expire: () =>
      newPorts().credentials.update(context, async kept =>
        kept?.accessToken === undefined ? kept : {...kept, obtainedAt: 0, expiresAt: 1},
      ),
    /** Ends the pause after a failed renewal. */
    wait: () =>
      newPorts().credentials.update(context, async kept => {
        if (kept === undefined) return kept;
        const {retryAt: _, failure: __, ...rested} = kept;
        return rested;
      }),
    /** Sets this machine's clock to `offset` milliseconds from its real time. */
    setClock(offset: number) {
      clockOffset = offset;
    },
  };
};

export type Scene = Awaited<ReturnType<typeof sceneOf>>;

const aborting = () => {
  const controller = new AbortController();
  return {signal: controller.signal, abort: (reason: unknown) => controller.abort(reason)};
};
