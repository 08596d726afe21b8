import type {Context} from '../../domain/context.ts';
import type {McpServer} from '../../domain/mcp-servers.ts';
import type {OwnTokens} from '../../domain/tokens.ts';
import type {OwnResource} from '../../flows/sign-in/own-token.ts';
import type {WizardState} from '../model.ts';

type Learned = Pick<WizardState, 'facts'>;

/** The server for which a token of its own is still to be asked for, and its resource. */
export const wantedResource = ({facts}: Learned): OwnResource | undefined => {
  const {ownResources = {}, ownTokens = {}} = facts;
  const found = servers.flatMap(server => {
    const resource = ownResources[server];
    return resource === undefined || ownTokens[server] !== undefined ? [] : [{server, resource}];
  });
  return found[0];
};

/** Why a person is asked to sign in once more, while they are. */
export const whyAgain = (state: Learned): string | undefined => {
  const wanted = wantedResource(state);
  return wanted && secondSignIn(wanted.resource);
};

/** The servers for which nobody has asked yet. */
export const unaskedServers = ({facts}: Learned): readonly McpServer[] =>
  servers.filter(server => facts.ownResources?.[server] === undefined);

/** The tokens that a server has of its own; the control plane's is the token of the sign-in. */
export const ownTokensIn = ({facts: {ownTokens}}: Learned): OwnTokens => {
  const {observability} = ownTokens ?? {};
  return observability === undefined || observability === 'refused' ? {} : {observability};
};

/** What a context is to know of these, so that they are renewed for the same resources. */
export const resourcesIn = (state: Learned): Pick<Context, 'resource' | 'resources'> => {
  const {ownResources = {}, ownTokens = {}} = state.facts;
  const has = (server: McpServer) => ownTokens[server] !== undefined && ownTokens[server] !== 'refused';
  const {'control-plane': resource, observability} = ownResources;
  return {
    ...(resource !== undefined && has('control-plane') ? {resource} : {}),
    ...(observability !== undefined && has('observability') ? {resources: {observability}} : {}),
  };
};

/** Why a person signs in twice. */
export const secondSignIn = (resource: string): string =>
  `You are asked to sign in a second time: ${resource} accepts only tokens issued for it.`;

const servers: readonly McpServer[] = ['control-plane', 'observability'];

/** The MCP servers that the deployment has. */
export const serversIn = ({facts}: Learned): readonly McpServer[] =>
  facts.deployment?.observerUrl ? servers : ['control-plane'];
