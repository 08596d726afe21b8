import {SetupError} from '../../src/errors/errors.ts';
import {verdictOnCode} from '../../src/errors/verdict.ts';
import type {FlowEvent} from '../../src/flows/flow.ts';
import {failureOf} from '../../src/state/failure.ts';
import type {Failure, WizardState} from '../../src/state/model.ts';
import {contextAt} from '../support/context.ts';
import {at, having} from '../support/states.ts';

export const probing: readonly FlowEvent[] = [
  {type: 'source-answered', source: 'helm-release', outcome: 'found', detail: 'acme.localhost', ms: 212},
  {type: 'source-started', source: 'gateway-route'},
  {type: 'probe-started', atMost: 1_950, service: 'control-plane', url: 'http://api.acme.localhost:8080'},
  {
    type: 'probe-answered',
    service: 'control-plane',
    url: 'http://api.acme.localhost:8080',
    outcome: 'up',
    detail: 'OK',
    ms: 14,
  },
  {
    type: 'probe-started',
    atMost: 1_950,
    service: 'observer',
    url: 'http://observer.observability.acme.localhost:11087',
  },
];

export const failed: WizardState = {
  ...at['obtain-token'],
  failure: {
    step: 'obtain-token',
    code: 'auth-client-refused',
    message: 'http://idp.acme.localhost:8080 refused the client ID or the secret of mcp_client (invalid_client).',
    remedy: 'Check the client ID and the client secret: one may be wrong, or the secret was reset.',
    whose: 'you',
    headline: 'The identity provider does not accept the client ID and its secret',
  },
};

const observer = 'http://observer.acme.localhost:11080/mcp';

/** A signed-in person who signs in once more, for the server that takes only a token of its own. */
export const again = having(
  {
    ...at.check,
    answers: {...at.check.answers, signIn: 'browser'},
    facts: {...at.check.facts, ownResources: {observability: observer}},
    progressOf: 'own-token',
  },
  {type: 'second-sign-in', resource: observer},
  {
    type: 'sign-in-waiting',
    url: 'http://idp.acme.localhost:8080/oauth2/authorize?client_id=platform-cli',
    redirectUri: 'http://127.0.0.1:55152/auth-callback',
    until: 300_000,
    device: false,
    listening: true,
  },
);

const failing = (state: WizardState, failure: Partial<Failure>): WizardState => ({
  ...state,
  failure: {
    step: 'find-deployment',
    code: 'bug',
    whose: 'you',
    headline: verdictOnCode(failure.code ?? 'bug'),
    message: 'It failed.',
    remedy: '',
    ...failure,
  },
});

const saved = {...contextAt('http://idp.acme.localhost:8080'), controlPlaneUrl: 'http://api.acme.localhost:8080'};
const ofSaved: WizardState = {...at['find-deployment'], settings: {...at['find-deployment'].settings, saved}};

const seen = {
  projects: 3,
  components: 8,
  failing: [
    {name: 'checkout', project: 'shop', status: 'WorkloadNotFound'},
    {name: 'recommendations', project: 'shop', status: 'AutoDeployFailed'},
  ],
};

const alive = {inspectedSignIn: {state: 'alive', token: {...at.check.facts.token, account: 'ann'}} as never};

const downAtHome = failureOf(
  new SetupError('network-refused', 'Nothing listens at http://api.acme.localhost:8080.', {
    about: {url: saved.controlPlaneUrl},
  }),
  'home',
  ofSaved,
);

const waiting: FlowEvent = {
  type: 'sign-in-waiting',
  url: 'http://idp.acme.localhost:8080/oauth2/authorize?client_id=platform-cli&response_type=code&scope=openid+profile',
  redirectUri: 'http://127.0.0.1:55152/auth-callback',
  until: 300_000,
  device: true,
  listening: true,
};

const fingerprint = Array.from({length: 32}, (_, index) => (index + 160).toString(16).toUpperCase()).join(':');
const roleBinding = `kubectl apply -f - <<'EOF'
apiVersion: openchoreo.dev/v1alpha1
kind: ClusterAuthzRoleBinding
metadata:
  name: ci-developer
spec:
  entitlement:
    claim: sub
    value: ci
  roleMappings:
    - roleRef:
        kind: ClusterAuthzRole
        name: developer
  effect: allow
EOF`;

const signedBy = `Certificate authority: Acme Root CA\nSHA-256 fingerprint ${fingerprint}\nValid until 2030-01-01`;

const untrusted = {
  origin: 'https://api.acme.example.com',
  anchor: {
    subject: 'Acme Root CA',
    issuer: 'Acme Root CA',
    validTo: Date.UTC(2030, 0, 1),
    fingerprint,
    pem: 'PEM',
  },
  isWhole: true,
} as const;

/** Every screen of the wizard: the state that shows it, and words that identify it. */
export const screens: Readonly<Record<string, readonly [WizardState, RegExp]>> = {
  searching: [having(at['find-deployment'], ...probing), /Looking for your platform/],
  deployment: [at.deployment, /single-cluster/],
  'sign-in': [at['sign-in'], /How do you want to sign in\?/],
  client: [at.client, /Client secret/],
  admin: [at.admin, /Password/],
  creating: [at['create-client'], /Creating an MCP client/],
  'signing in twice': [
    having(again, {
      type: 'device-code',
      verificationUri: 'http://idp.acme.localhost/device',
      userCode: 'BDWP-HQPK',
      until: 300_000,
    }),
    /Enter this code in any browser/,
  ],
  checking: [at.check, /Checking that everything answers/],
  assistants: [at.assistants, /Which assistants should use the platform/],
  review: [at.review, /These files will change/],
  verifying: [at.verify, /Testing the new configuration/],
  done: [at.done, /mcp\.json is ready for your\s+assistant/],
  failure: [failed, /refused the client ID/],
  'nothing found': [
    failing(at['find-deployment'], {
      code: 'platform-not-found',
      message: 'No platform found yet. Neither your settings nor your cluster names one.',
      about: {
        reason:
          'Neither your settings nor your cluster names one, and http://api.platform.localhost:8080 does not answer.',
      },
    }),
    /No platform found yet/,
  ],
  'an account without a role': [
    failing(at.check, {
      step: 'check',
      code: 'auth-no-role',
      message:
        'ci is signed in, but http://api.acme.example:28200 has no role for this account, so it can’t do anything. Roles are bound to the claim “sub” of the token, which is ci.',
      remedy: `Ask an administrator to apply this role binding. It takes effect within a second. If the platform has just been upgraded, wait a minute first: its roles may not be back yet.`,
      block: roleBinding,
    }),
    /Signed in, but without a role/,
  ],
  'a certificate nobody signed': [
    failing(at.check, {
      step: 'check',
      code: 'network-tls',
      message:
        'https://api.acme.example.com could not be trusted: its certificate comes from an authority that this machine doesn’t know (UNABLE_TO_GET_ISSUER_CERT_LOCALLY).',
      remedy: `Compare the fingerprint with the one that the platform’s operators give you.`,
      block: signedBy,
      untrusted,
    }),
    /Do you trust this authority\?/,
  ],
  'a token in git': [
    failing(at.review, {
      step: 'plan',
      code: 'local-token-in-git',
      message: '/home/ann/project/.mcp.json would hold an access token, and git would commit it.',
      about: {path: '/home/ann/project/.mcp.json', isIgnorable: true},
    }),
    /Store a token in a file of a repository\?/,
  ],
  'plain http': [
    failing(at.check, {
      step: 'check',
      code: 'network-insecure',
      message: 'http://api.acme.lan is not encrypted, so no token is sent there.',
      remedy: 'Use the server’s https address if it has one. If not, allow plain http for this host.',
      about: {server: 'http://api.acme.lan'},
    }),
    /Send tokens to api\.acme\.lan without encryption\?/,
  ],
  'the browser': [
    having({...at['obtain-token'], answers: {...at['obtain-token'].answers, signIn: 'browser'}}, waiting, {
      type: 'browser-opened',
      opened: true,
    }),
    /Waiting for your browser/,
  ],
  'the end, with what the account sees': [
    {
      ...at.done,
      facts: {
        ...at.done.facts,
        verified: at.done.facts.verified?.map((one, index) => (index === 0 ? {...one, content: seen} : one)) ?? [],
      },
    },
    /2 components fail/,
  ],
  home: [{...ofSaved, facts: {...alive, connection: {state: 'connected'}}}, /Connected as ann/],
  'home before an answer': [{...ofSaved, facts: alive}, /Asking your platform/],
  'home, a server down': [
    {...ofSaved, facts: {...alive, connection: {state: 'failed', failure: downAtHome}}},
    /The control plane is not running/,
  ],
  'signed out': [
    {
      ...ofSaved,
      facts: {
        inspectedSignIn: {state: 'ended', message: '', reason: 'The identity provider refused to renew the sign-in.'},
      },
    },
    /You are signed out of/,
  ],
};
