import {expect, test} from 'vitest';
import {allProviders, findProvider} from '../../src/identity-providers/catalogue.ts';
import {guideOf, guideText} from '../../src/identity-providers/guide.ts';

const values = {
  issuer: 'https://sso.acme.example/realms/dev',
  clientId: 'platform-cli',
  redirect: 'http://127.0.0.1:55152/auth-callback',
  scopes: 'openid profile',
  audience: 'https://api.acme.example/mcp',
  serviceClientId: 'platform-service',
};

test.each(allProviders.map(provider => [provider.id, provider] as const))(
  '%s has steps for both clients',
  (_, provider) => {
    const {sections} = guideOf(provider, values);
    expect(sections[0]?.steps.length).toBeGreaterThan(0);
    for (const {heading, steps} of sections) {
      for (const step of steps) {
        expect(step, heading).toMatch(/[.:]$|^hydra create/);
        expect(step, heading).not.toMatch(/[{}]|undefined/);
      }
    }
  },
);

test('a guide is filled in with the deployment, the assistants and the control plane values', () => {
  const provider = findProvider('keycloak') ?? expect.fail();
  const others = [{name: 'Cursor', address: 'cursor://callback'}];
  const text = guideText(guideOf(provider, values, others, 'security:\n  oidc: {}\n'));
  expect(text).toMatch(
    /^Keycloak: tried on the running program\n\nFor people: a public client\n {2}1\. Clients › Create client/,
  );
  for (const value of [values.clientId, values.redirect, values.audience, values.serviceClientId]) {
    expect(text).toContain(value);
  }
  expect(text).toContain('Cursor, if it signs in by itself: cursor://callback');
  expect(text).toMatch(/\nsecurity:\n {2}oidc: \{\}$/);
});

test('what is not known is left to be filled in', () => {
  const provider = findProvider('okta') ?? expect.fail();
  expect(guideText(guideOf(provider, {}))).toContain('<audience>');
});

test('one that cannot serve says so, and nothing else', () => {
  const provider = findProvider('google') ?? expect.fail();
  const {sections} = guideOf(provider, values, [], 'security:');
  expect(sections.map(({heading}) => heading)).toEqual(['The platform cannot use it']);
});

test('a scope that is needed for a refresh token is named', () => {
  const dex = guideText(guideOf(findProvider('dex') ?? expect.fail(), values));
  expect(dex).toContain('requests the scope offline_access, which brings a refresh token');
  const keycloak = guideText(guideOf(findProvider('keycloak') ?? expect.fail(), values));
  expect(keycloak).not.toContain('which brings a refresh token');
});

test.each(['openid profile', 'openid profile offline_access'])(
  'no list of scopes names one twice, nor leaves that for a refresh token out: %s',
  scopes => {
    for (const provider of allProviders) {
      const {sections} = guideOf(provider, {...values, scopes});
      const steps = sections.flatMap(one => one.steps).filter(step => step.includes('openid profile'));
      for (const step of steps) {
        const count = step.split('offline_access').length - 1;
        expect(count, `${provider.id}: ${step}`).toBe(
          provider.refreshToken.scope !== undefined || scopes.includes('offline_access') ? 1 : 0,
        );
      }
    }
  },
);
