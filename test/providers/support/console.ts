import type {Administration, Representation} from './admin.ts';

/** The administrator's working state: an unsaved form, the scope created last, a copied secret. */
type Desk = {readonly by: Administration; form?: Representation; scopeId?: string; secret?: string};

type Click = (desk: Desk, ...words: readonly string[]) => Promise<void> | void;

/** True if a sentence turns a switch on. A switch that it does not name is off. */
const switched = (sentence: string, name: string) => sentence.includes(`“${name}” on`);

const change = (desk: Desk, more: Representation) => {
  desk.form = {...desk.form, ...more};
};

const save = async (desk: Desk) => {
  const {form} = desk;
  delete desk.form;
  if (form) await desk.by.add('/clients', form);
};

/** Returns the scope with this name. The console's lists show only names. */
const scopeNamed = async ({by}: Desk, name: string) => {
  const scopes = await by.get<readonly Representation[]>('/client-scopes');
  return String(scopes.find(scope => scope.name === name)?.id);
};

const SCOPE = 'platform';

/**
 * The settings on the pages “Capability config” and “Login settings”, which belong to the client that is being
 * created.
 */
const ofForm: readonly (readonly [RegExp, Click])[] = [
  [
    /^Clients › Create client: client type “OpenID Connect”, client ID (\S+)\.$/,
    async (desk, _, clientId) => {
      await save(desk);
      change(desk, {clientId, protocol: 'openid-connect'});
    },
  ],
  [
    /^Capability config: “Client authentication” (on|off)\b.*$/,
    (desk, sentence, authentication) =>
      change(desk, {
        publicClient: authentication === 'off',
        standardFlowEnabled: switched(sentence ?? '', 'Standard flow'),
        directAccessGrantsEnabled: switched(sentence ?? '', 'Direct access grants'),
        serviceAccountsEnabled: switched(sentence ?? '', 'Service accounts roles'),
      }),
  ],
  [
    /^Capability config: PKCE method (\S+)\..*$/,
    (desk, sentence, method) => {
      const device = switched(sentence ?? '', 'OAuth 2.0 Device Authorization Grant');
      const attributes = {
        'pkce.code.challenge.method': method,
        'oauth2.device.authorization.grant.enabled': String(device),
      };
      change(desk, {attributes});
    },
  ],
  [
    /^Login settings: enter (\S+) under “Valid redirect URIs”\.$/,
    (desk, _, redirectUri) => change(desk, {redirectUris: [redirectUri]}),
  ],
];

const ofRealm: readonly (readonly [RegExp, Click])[] = [
  [
    /^Client scopes › Create client scope: name it after the platform, protocol “OpenID Connect”, type “Default”\.$/,
    async desk => {
      await desk.by.add('/client-scopes', {name: SCOPE, protocol: 'openid-connect', attributes: {}});
      desk.scopeId = await scopeNamed(desk, SCOPE);
      await desk.by.put(`/default-default-client-scopes/${desk.scopeId}`);
    },
  ],
  [
    /^In it, Mappers › Configure a new mapper › Audience: “Included Custom Audience” (\S+), “Add to access token” on\.$/,
    ({by, scopeId}, _, audience) =>
      by.add(`/client-scopes/${scopeId}/protocol-mappers/models`, {
        name: 'audience',
        protocol: 'openid-connect',
        protocolMapper: 'oidc-audience-mapper',
        config: {'included.custom.audience': audience, 'access.token.claim': 'true'},
      }),
  ],
  [
    /^Clients › (\S+) › Client scopes › Add client scope: add (?:it|the scope with the audience \S+) as “Default”\.$/,
    async (desk, _, clientId = '') => {
      const {id} = await desk.by.client(clientId);
      await desk.by.put(`/clients/${id}/default-client-scopes/${await scopeNamed(desk, SCOPE)}`);
    },
  ],
  [
    /^Clients › (\S+) › Credentials: copy the secret\.$/,
    async (desk, _, clientId = '') => {
      const {id} = await desk.by.client(clientId);
      const {value} = await desk.by.get<{value: string}>(`/clients/${id}/client-secret`);
      desk.secret = value;
    },
  ],
];

/**
 * Acts as an administrator who follows sentences of the guide and nothing else, with the calls that the console
 * makes.
 *
 * @throws Error if a sentence is not understood
 */
export const administratorOf = (by: Administration) => {
  const desk: Desk = {by};
  const follow = async (sentence: string) => {
    for (const [pattern, click] of [...ofForm, ...ofRealm]) {
      const words = pattern.exec(sentence);
      if (!words) continue;
      if (ofRealm.some(([one]) => one === pattern)) await save(desk);
      await click(desk, ...words);
      return;
    }
    throw new Error(`Nobody knows what to click for: ${sentence}`);
  };
  return {follow, secret: () => desk.secret ?? ''};
};
