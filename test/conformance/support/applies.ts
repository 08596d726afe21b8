/** Why a scenario of the suite is not run, by its name. A new scenario belongs here or is run. */
export type Reasons = Readonly<Record<string, string>>;

const given = (reason: string, names: readonly string[]): Reasons =>
  Object.fromEntries(names.map(name => [name, reason]));

/** Reasons for the scenarios for clients. All others run through the bridge. */
export const notForTheBridge: Reasons = {
  ...given(
    'the bridge takes its token from the sign-in of the deployment, whose identity provider is known: it never follows what a server says of authorization',
    [
      'auth/metadata-default',
      'auth/metadata-var1',
      'auth/metadata-var2',
      'auth/metadata-var3',
      'auth/basic-cimd',
      'auth/scope-from-www-authenticate',
      'auth/scope-from-scopes-supported',
      'auth/scope-omitted-when-undefined',
      'auth/scope-step-up',
      'auth/scope-retry-limit',
      'auth/token-endpoint-auth-basic',
      'auth/token-endpoint-auth-post',
      'auth/token-endpoint-auth-none',
      'auth/pre-registration',
      'auth/2025-03-26-oauth-metadata-backcompat',
      'auth/2025-03-26-oauth-endpoint-fallback',
      'auth/resource-mismatch',
      'auth/offline-access-scope',
      'auth/offline-access-not-supported',
      'auth/authorization-server-migration',
      'auth/iss-supported',
      'auth/iss-not-advertised',
      'auth/iss-supported-missing',
      'auth/iss-wrong-issuer',
      'auth/iss-unexpected',
      'auth/iss-normalized',
      'auth/metadata-issuer-mismatch',
      'auth/dpop',
      'auth/dpop-nonce',
    ],
  ),
  ...given('a client signs in as itself by npx setup login, before a bridge is started; the bridge only renews', [
    'auth/client-credentials-jwt',
    'auth/client-credentials-basic',
  ]),
  ...given('no release of the platform takes identity assertions of another application or of a workload', [
    'auth/enterprise-managed-authorization',
    'auth/wif-jwt-bearer',
  ]),
  ...given('skills are for assistants to fetch; the bridge passes on what they ask for', [
    'sep-2640-client-no-prefetch',
    'sep-2640-client-verify-digest',
    'sep-2640-client-verify-size',
    'sep-2640-client-verify-frontmatter',
  ]),
};

/** Reasons for the scenarios for servers. All others run against both servers of the sandbox. */
export const notForTheSandbox: Reasons = {
  ...given('it calls a tool of the suite’s own, and the servers have the platform’s tools', [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-logging',
    'tools-call-error',
    'tools-call-with-progress',
    'tools-call-sampling',
    'tools-call-elicitation',
    'json-schema-2020-12',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'server-sse-polling',
  ]),
  ...given('the servers offer tools, and no completions', ['completion-complete']),
  ...given('the servers offer tools, and no resources', [
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
  ]),
  ...given('the servers offer tools, and no prompts', [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ]),
};
