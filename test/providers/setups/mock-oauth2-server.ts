import {join} from 'node:path';
import {ann, type ProviderSetup} from '../support/describe-provider.ts';
import {startProgram} from '../support/program.ts';
import {rowOf} from '../support/rows.ts';
import {installLibraries} from './maven.ts';

const row = rowOf('mock-oauth2-server');

export const mockOAuth2Server: ProviderSetup = {
  row,
  install: () =>
    installLibraries(`${row.id}-${row.version}`, [
      {group: 'no.nav.security', artifact: 'mock-oauth2-server', version: row.version},
    ]),
  start: async ({installed, state, port}) => {
    const issuer = `http://127.0.0.1:${port}/default`;
    const args = ['-cp', join(installed, 'lib', '*'), 'no.nav.security.mock.oauth2.StandaloneMockOAuth2ServerKt'];
    const env = {SERVER_PORT: String(port), JSON_CONFIG: JSON.stringify({interactiveLogin: true})};
    return {issuer, end: await startProgram({command: 'java', args, cwd: state, env}, issuer)};
  },
  signIn: async page => {
    await page.locator('[name=username]').fill(ann.username);
    await page.locator('[type=submit]').click();
  },
};
