import {type Finding, pass, skippedWithout, warn} from '../../../domain/finding.ts';
import {type McpServer, takesOnlyItsOwn} from '../../../domain/mcp-servers.ts';
import {inspectToken, isNewToken} from '../../../domain/tokens.ts';
import {remedyOf} from '../../../errors/describe-error.ts';
import {type ErrorCode, SetupError} from '../../../errors/errors.ts';
import {phrase} from '../../../errors/remedy.ts';
import {ASK_FOR_ROLE, REFUSED_NEW} from '../../../errors/shared-advice.ts';
import {recogniseProvider} from '../../../identity-providers/catalogue.ts';
import {portalIn} from '../../../ports/network/portal.ts';
import {briefText, cleanText} from '../../../text.ts';
import {isSuccess, statusError} from '../../http-answers.ts';
import {knockAt} from '../../metadata.ts';
import {listTools} from '../../platform-tools/list-tools.ts';
import {inPlaceOfMcp} from '../../platform-tools/mcp-failure-cause.ts';
import {tokenFault} from '../../platform-tools/refused-token.ts';
import {readResource} from '../../sign-in/server-token.ts';
import {type Check, type Learned, loginCommand, type Scene} from '../check.ts';
import {access, signingKey} from './platform-checks.ts';
import {renewedOnce} from './renewed-token.ts';
import {tokenAt} from './sign-in-checks.ts';
import {signInAgain} from './sign-in-remedy.ts';

const titles: Readonly<Record<McpServer, string>> = {
  'control-plane': 'control plane MCP server',
  observability: 'observability MCP server',
};

/** The errors with which a server may refuse a request without a token, if it does not demand a sign-in with 401. */
const ownWays: ReadonlySet<ErrorCode> = new Set(['platform-rejected', 'auth-permission-missing']);

/** The checks that those of a server depend on: its service answers, and there is a token for it. */
type Grounds = {readonly ground: string; readonly token: string};

/** Returns two checks of an MCP server: it demands a token, and it lists its tools to a request with one. */
export const mcpChecks = (server: McpServer, address: string, {ground, token}: Grounds): readonly Check[] => {
  const url = new URL(address);
  const challenge: Check = {
    id: `challenge-${server}`,
    server: `mcp-${server}`,
    title: `MCP sign-in challenge (${titles[server].replace(' MCP server', '')})`,
    needs: [ground],
    address: () => address,
    run: async scene => {
      const reply = await knockAt(url, scene, {timeout: 3_000});
      const wanted = reply.header('www-authenticate');
      if (reply.status === 401) {
        if (wanted) return pass(`401, ${briefText(wanted, 60)}`);
        return warn(
          '401 without WWW-Authenticate',
          'The server does not say how to sign in, so clients that sign in by themselves cannot connect.',
          'Ask the platform’s operators to make the server send WWW-Authenticate with its 401. platform-setup works without that.',
        );
      }
      const wrong = isSuccess(reply) ? undefined : statusError(reply, url);
      if (wrong && !ownWays.has(wrong.code)) throw inPlaceOfMcp(wrong, url);
      const portal = portalIn(reply, url);
      if (portal) throw inPlaceOfMcp(portal, url);
      return isSuccess(reply)
        ? warn(
            `${reply.status} without a token`,
            'The server answers without a sign-in.',
            'Ask the platform’s operators to enable authentication.',
          )
        : warn(
            `${reply.status} without a token`,
            'The server does not say how to sign in when it refuses, so clients that sign in by themselves cannot connect.',
            'Ask the platform’s operators to make the server answer with 401. platform-setup works without that.',
          );
    },
  };
  const tools: Check = {
    id: `mcp-${server}`,
    server: `mcp-${server}`,
    title: `Tools of the ${titles[server]}`,
    needs: [challenge.id, token, 'claims'],
    address: () => address,
    run: async (scene): Promise<Finding> => {
      const {outcomeOf} = scene;
      const key = await outcomeOf(signingKey.id);
      if (key?.verdict === 'fail') return skippedWithout(signingKey);
      const list = async (token: string, after = ''): Promise<Finding> => {
        const {names, ms} = await listTools({url: address, headers: {Authorization: `Bearer ${token}`}}, scene);
        if (names.length > 0) return pass(`${names.length} tools, ${ms} ms${after}`);
        // An account without a role gets no tools. A release that this program does not know is not asked about roles.
        const role = (await outcomeOf(access.id))?.verdict;
        if (role === 'fail') return skippedWithout(access);
        const mayLackRole = server === 'control-plane' && role !== 'pass';
        const sentence = `${address} offers this account no tools.`;
        return mayLackRole
          ? warn('no tools', `${sentence} The account seems to have no role there.`, ASK_FOR_ROLE)
          : warn('no tools', sentence, 'Ask the platform’s operators which tools this account may use.');
      };
      const token = tokenAt(server, scene) ?? '';
      try {
        return await list(token);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const own = server === 'observability' ? await ownResource(scene) : undefined;
        if (own !== undefined) {
          throw new SetupError(
            'auth-token-refused',
            `${takesOnlyItsOwn(url.href)}, and this one is for another server.`,
            {
              cause: error,
              about: {url: address, isSignInOver: true},
              remedy: phrase`Sign in again to get a token for it: ${loginCommand(scene.subject)}.`,
            },
          );
        }
        const renewed = await renewedFor(server, token, scene, url);
        const again =
          renewed === undefined ? error : await list(renewed, ', with a renewed token').catch(caught => caught);
        if (!(again instanceof Error)) return again;
        if (!isRefusal(again)) throw again;
        const isRenewed = scene.learned.renewals !== undefined;
        const also = isRenewed ? ', even after it was renewed' : '';
        const login = loginCommand(scene.subject);
        const isNew = isNewToken(token, scene.ports.clock.now());
        const about = {url: address, ...(isRenewed || isNew ? {} : {isSignInOver: true as const})};
        const fault = await audienceFault(renewed ?? token, scene);
        if (fault) {
          throw new SetupError('auth-token-refused', `${url.href} refuses the token${also}. ${fault.message}`, {
            cause: again,
            about,
            remedy: [remedyOf(fault), phrase`Then sign in again: ${login}.`],
          });
        }
        const compare =
          'ask the platform’s operators to compare the token’s issuer and audience with what the server expects';
        throw new SetupError(
          'auth-token-refused',
          `${url.href} refuses a token whose contents look right${also}${audienceIn(scene)}.`,
          {
            cause: again,
            about,
            // A renewed or new token was refused, and a sign-in would bring one of the same kind.
            remedy: isRenewed || isNew ? REFUSED_NEW : await signInAgain(scene, `If it is refused again, ${compare}.`),
          },
        );
      }
    },
  };
  return [challenge, tools];
};

const isRefusal = (error: unknown): boolean => error instanceof SetupError && error.code === 'auth-token-refused';

/**
 * Returns another token, as the bridge and `mcp tools` would get one; undefined if there is nothing to renew.
 *
 * @throws SetupError `auth-token-refused` if the renewal fails
 */
const renewedFor = async (
  server: McpServer,
  refused: string,
  scene: Scene,
  {href}: URL,
): Promise<string | undefined> => {
  try {
    return await renewedOnce(server, refused, scene);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    throw new SetupError(
      'auth-token-refused',
      `${href} refuses the token, and this program could not get another one. ${error.message}`,
      {
        cause: error,
        about: {url: href, isSignInOver: true},
        remedy: await signInAgain(scene),
      },
    );
  }
};

/**
 * Returns the resource that the server names for itself, if only this server refuses the token and the token is not for
 * that resource.
 */
const ownResource = async (scene: Scene): Promise<string | undefined> => {
  const {subject, ports, outcomeOf} = scene;
  const other = await outcomeOf('mcp-control-plane');
  const {audience = []} = inspectToken(tokenAt('observability', scene) ?? '', subject.issuer, ports.clock.now());
  if (other?.verdict !== 'pass') return undefined;
  const resource = await readResource('observability', subject, scene);
  return resource !== undefined && !audience.includes(resource) ? resource : undefined;
};

/** Returns the fault in a token's audience, in the words that a sign-in uses. */
const audienceFault = async (token: string, {subject, learned, ports}: Scene): Promise<SetupError | undefined> => {
  const {issuer, context, unsaved} = subject;
  const {id: provider} = recogniseProvider(issuer, learned.metadata);
  const clientId = context?.clientId ?? unsaved?.clientId ?? 'the client';
  const fault = await tokenFault({token, issuer, clientId, provider, resource: resourceIn(learned)}, ports);
  // The check of the token's contents has already reported that it cannot be read.
  return fault?.code === 'auth-token-opaque' ? undefined : fault;
};

const resourceIn = ({resource}: Learned): string | undefined => {
  const named = resource?.resource;
  return typeof named === 'string' ? cleanText(named) : undefined;
};

/** Names the audience that a server wants, if the control plane has named one. */
const audienceIn = ({learned}: Scene): string => {
  const resource = resourceIn(learned);
  return resource === undefined ? '' : `. The server expects the audience ${resource}`;
};
