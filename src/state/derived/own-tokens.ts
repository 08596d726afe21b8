import type {Context} from '../../domain/context.ts';
import type {McpServer} from '../../domain/mcp-servers.ts';
import type {OwnTokens} from '../../domain/tokens.ts';
import type {OwnResource} from '../../flows/sign-in/own-token.ts';
import type {WizardState} from '../model.ts';

type Learned = Pick<WizardState, 'facts'>;

/** Returns the server that still needs a token of its own, and its resource. */
export const wantedResource = ({facts}: Learned): OwnResource | undefined => {
  const {ownResources = {}, ownTokens = {}} = facts;
  const found = servers.flatMap(server => {
    const resource = ownResources[server];
    return resource === undefined || ownTokens[server] !== undefined ? [] : [{server, resource}];
  });
  return found[0];
};

/** Returns why a person has to sign in once more, as long as such a sign-in is outstanding. */
export const whyAgain = (state: Learned): string | undefined => {
  const wanted = wantedResource(state);
  return wanted && secondSignIn(wanted.resource);
};

/** Returns the servers for which a token of their own has not been requested yet. */
export const unaskedServers = ({facts}: Learned): readonly McpServer[] =>
  servers.filter(server => facts.ownResources?.[server] === undefined);

/** Returns the tokens for one server only. The control plane's is not one of them: it is the token of the sign-in. */
export const ownTokensIn = ({facts: {ownTokens}}: Learned): OwnTokens => {
  const {observability} = ownTokens ?? {};
  return observability === undefined || observability === 'refused' ? {} : {observability};
};

/** Returns the resources that the context has to record, so that later tokens are renewed for the same ones. */
export const resourcesIn = (state: Learned): Pick<Context, 'resource' | 'resources'> => {
  const {ownResources = {}, ownTokens = {}} = state.facts;
  const has = (server: McpServer) => ownTokens[server] !== undefined && ownTokens[server] !== 'refused';
  const {'control-plane': resource, observability} = ownResources;
  return {
    ...(resource !== undefined && has('control-plane') ? {resource} : {}),
    ...(observability !== undefined && has('observability') ? {resources: {observability}} : {}),
  };
};

/** Returns the sentence that explains to a person why they sign in a second time. */
export const secondSignIn = (resource: string): string =>
  `You are asked to sign in a second time: ${resource} accepts only tokens issued for it.`;

const servers: readonly McpServer[] = ['control-plane', 'observability'];

/** Returns the MCP servers that the deployment has. */
export const serversIn = ({facts}: Learned): readonly McpServer[] =>
  facts.deployment?.observerUrl ? servers : ['control-plane'];
