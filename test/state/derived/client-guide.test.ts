import {expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {standard} from '../../../src/identity-providers/catalogue/standard.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {accountGuideOf, guideFor} from '../../../src/state/derived/client-guide.ts';
import {atAccount} from '../../support/states.ts';

const guideWith = (servers: readonly string[]) => {
  const {sections} = guideFor(standard, {
    ...{
      platform: bundled,
      clientId: 'platform-cli',
      redirectUri: bundled.callbackUrl,
      assistants: allAssistants,
      servers,
    },
    wanted: {scopes: ['openid']},
  });
  return sections.flatMap(({steps}) => steps).filter(step => step.includes('if it signs in by itself'));
};

test('assistants that sign in by themselves have their redirect addresses named', () => {
  expect(guideWith([])).toContain('Claude Code, if it signs in by itself: http://localhost:8075/callback');
});

test('one whose redirect address is made of the server’s is named where the servers are known, once for each', () => {
  const ofCodex = (servers: readonly string[]) => guideWith(servers).filter(step => step.startsWith('Codex CLI'));
  expect(ofCodex([])).toEqual([]);
  expect(ofCodex(['http://127.0.0.1:9999/mcp', 'http://api.acme.localhost:18080/mcp'])).toEqual([
    'Codex CLI, if it signs in by itself: http://127.0.0.1/callback/CnFCLXupfsy6',
    'Codex CLI, if it signs in by itself: http://127.0.0.1/callback/oGhu4m-7BxTm',
  ]);
});

test('the guide for the account of the assistants is about a client with a secret only', () => {
  const {sections, text} = accountGuideOf(atAccount.account);
  expect(sections.map(({heading}) => heading)).toEqual([
    'For service accounts: a confidential client',
    'The audience of access tokens',
  ]);
  expect(text).not.toContain('redirect');
});
