import {type Finding, pass} from '../../../domain/finding.ts';
import type {McpServer} from '../../../domain/mcp-servers.ts';
import {contextFor, inspectToken, keyIdOf, tokenFor} from '../../../domain/tokens.ts';
import {SetupError} from '../../../errors/errors.ts';
import {accessTokenInstead, accessTokenNow} from '../../sign-in/access-token.ts';
import type {Check, Scene, Subject} from '../check.ts';
import {signingKey} from './access-checks.ts';
import {signInAgain} from './sign-in-again.ts';

/** Whether the observability server has a token of its own. */
export const hasOwnToken = ({context}: Subject): boolean => context?.resources?.observability !== undefined;

/** The token of a server that accepts only tokens for its own resource: renewed if that is due, and its contents. */
export const ownToken: Check = {
  id: 'token-observability',
  title: 'Access token of the observability MCP server',
  needs: ['token'],
  address: ({authUrl}) => authUrl,
  run: async (scene): Promise<Finding> => {
    const {subject, learned, ports, outcomeOf} = scene;
    if (!subject.context) return {verdict: 'skipped', saw: 'nobody has signed in from here'};
    await outcomeOf(signingKey.id);
    const context = contextFor(subject.context, 'observability');
    let token = await accessTokenNow(context, scene);
    // The signing key of the sign-in's token is published. A token with another key is signed with an outdated one.
    if (keyIdOf(token.accessToken) !== keyIdOf(learned.token?.accessToken ?? '')) {
      token = await accessTokenInstead({context, refused: token.accessToken}, scene);
    }
    learned.ownToken = token;
    const {audience = [], warnings} = inspectToken(token.accessToken, subject.issuer, ports.clock.now());
    const [problem] = warnings;
    if (problem === undefined) return pass(audience.length > 0 ? `for ${audience.join(', ')}` : 'no audience');
    throw new SetupError('auth-token-refused', problem, {remedy: await signInAgain(scene)});
  },
};

/** Returns the token for a server, from the saved sign-in or from the run that opened the diagnosis. */
export const tokenAt = (server: McpServer, {subject, learned}: Scene): string | undefined => {
  if (server === 'observability' && learned.ownToken) return learned.ownToken.accessToken;
  const {token, serverTokens} = subject.unsaved ?? {};
  if (subject.context || !token) return learned.token?.accessToken;
  return tokenFor(server, {signIn: token.access, ...serverTokens}).reveal();
};
