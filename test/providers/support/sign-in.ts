import {expect} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {keyOf} from '../../../src/domain/credentials.ts';
import {Secret} from '../../../src/domain/secret.ts';
import type {ClientMethod, SaidRequest} from '../../../src/domain/token-request.ts';
import {accessTokenNow} from '../../../src/flows/sign-in/access-token.ts';
import {signInClient} from '../../../src/flows/sign-in/client-credentials.ts';
import {type SignInToKeep, saveSignIn} from '../../../src/flows/sign-in/save-sign-in.ts';
import {signInPerson} from '../../../src/flows/sign-in/sign-in-person.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {createBrowser} from '../../sandbox/identity/browser.ts';
import {contextAt} from '../../support/context.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import type {ControlPlane} from './control-plane.ts';
import {ann, type Person} from './realm.ts';

/** The redirect URI of these sign-ins. Nothing listens there: the answers are pasted. */
export const REDIRECT = 'http://127.0.0.1:55152/auth-callback';

/** Signs a person in at an authorization request, gives consent, and returns the redirect address. */
const answerTo = async (url: string, person: Person): Promise<string> => {
  const browser = createBrowser();
  let [at, answer] = [url, await browser.visit(url)];
  for (;;) {
    const {location} = answer.headers;
    if (location?.startsWith(REDIRECT)) return location;
    at = new URL(location ?? at, at).href;
    if (location !== undefined) answer = await browser.visit(at);
    else answer = await browser.submit(answer, at, answer.text.includes('id="password"') ? person : {accept: 'Yes'});
    if (answer.status >= 400) throw new Error(`Keycloak’s page says ${answer.status}: ${answer.text}`);
  }
};

export type PersonOptions = {
  readonly clientId: string;
  readonly redirectUri?: string;
  readonly requested?: SaidRequest;
  readonly by?: 'paste' | 'device';
  /** The person who signs in. Ann by default. */
  readonly person?: Person;
};

type Place = {readonly issuer: string; readonly controlPlane: ControlPlane; readonly ports: Ports};

/** Signs a person in by the program's own flow, and pastes the redirect address. */
export const signIn = async (
  {issuer, controlPlane, ports}: Place,
  {clientId, redirectUri = REDIRECT, requested, by = 'paste', person = ann}: PersonOptions,
) => {
  const way = {by, redirectUri, open: false} as const;
  const input = {platform: bundled, controlPlaneUrl: controlPlane.url, issuer, clientId, requested, ...way};
  const failed = new AbortController();
  const answer = async (url: string) => ports.inbox.send({type: 'pasted', text: await answerTo(url, person)});
  const {result, events} = await collect(signInPerson, input, ports, failed.signal, event => {
    if (event.type === 'sign-in-waiting') answer(event.url).catch(error => failed.abort(error));
  });
  return {...result, events};
};

/** Signs a service account in. */
export const signInAs = (
  {issuer, controlPlane, ports}: Place,
  {
    clientId,
    secret,
    method,
    requested,
  }: {clientId: string; secret: string; method: ClientMethod; requested?: SaidRequest},
) => {
  const where = {platform: bundled, controlPlaneUrl: controlPlane.url, issuer};
  return collect(signInClient, {...where, clientId, method, secret: new Secret(secret), requested}, ports);
};

/** Signs Ann in, and saves the sign-in. */
export const keptSignIn = async (place: Omit<Place, 'ports'>, options: PersonOptions) => {
  const ports = await temporaryPorts();
  const {issuer, controlPlane} = place;
  const {client, token, events} = await signIn({...place, ports}, options);
  const context: Context = {
    ...contextAt(issuer),
    ...client,
    controlPlaneUrl: controlPlane.url,
    account: token.account,
  };
  await keep({context, token}, ports);
  const kept = async () => (await ports.credentials.get(context)) ?? expect.fail('Nothing is kept.');
  return {context, ports, kept, token, events, renew: (by: Ports = ports) => renewWith(context, by)};
};

const keep = (input: SignInToKeep, ports: Ports) => collect(saveSignIn, input, ports);

/** Gets a token after the saved one has expired. */
const renewWith = async (context: Context, ports: Ports) => {
  await ports.credentials.update(context, async now => ({...(now ?? keyOf(context)), expiresAt: 1}));
  return collect(accessTokenNow, context, ports);
};
