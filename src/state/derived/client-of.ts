import type {Secret} from '../../domain/secret.ts';
import type {SignInMethod} from '../../domain/token-request.ts';
import type {RunTokens} from '../../domain/tokens.ts';
import type {WizardState} from '../model.ts';

/** The ID of the MCP client that is used if the person names none. */
export const DEFAULT_CLIENT_ID = 'mcp_client';

/** Returns the ID of the MCP client that the person named, else of their own, so that no two people share a secret. */
export const wantedClientId = ({answers, settings}: Pick<WizardState, 'answers' | 'settings'>): string =>
  answers.clientId ?? settings.ownClientId ?? DEFAULT_CLIENT_ID;

/** Returns the ID of the client that this run signs in with. */
export const clientIdOf = (state: WizardState): string => {
  const {cliClient, client} = state.facts;
  return cliClient?.clientId ?? client?.clientId ?? wantedClientId(state);
};

/** Returns how this run signs in. A client that was just created signs in like one that existed before. */
export const methodOf = ({answers}: Pick<WizardState, 'answers'>): SignInMethod =>
  answers.signIn === 'create-mcp-client' || answers.signIn === undefined ? 'mcp-client' : answers.signIn;

export const tokenOf = ({facts}: Pick<WizardState, 'facts'>) => {
  if (!facts.token) throw new Error('No step after the sign-in runs without a token.');
  return facts.token;
};

/** Returns the access tokens of this run. */
export const runTokensOf = (state: Pick<WizardState, 'facts'>): RunTokens => ({
  signIn: tokenOf(state).access,
  ...state.facts.serverTokens,
});

/** Returns the secret of the client that this run signs in with, if it has one. */
export const clientSecretOf = ({facts, answers}: Pick<WizardState, 'facts' | 'answers'>): Secret | undefined =>
  facts.client?.secret ?? answers.clientSecret;
