import type {Layer} from '../../domain/finding.ts';
import {serversOf} from '../../domain/mcp-servers.ts';
import type {OrganisationEntry} from '../assistants/organisation-entries.ts';
import type {Check, Subject} from './check.ts';
import {assistantChecks, organisationEntryChecks} from './checks/assistant-checks.ts';
import {discovery, grants, issuer, redirectUrl} from './checks/identity-checks.ts';
import {
  assistantFiles,
  browser,
  callbackPort,
  config,
  credentials,
  node,
  ownFiles,
  proxy,
  trust,
} from './checks/machine-checks.ts';
import {mcpChecks} from './checks/mcp-checks.ts';
import {lastNetworkCheck, networkChecks} from './checks/network-checks.ts';
import {ownCli} from './checks/own-cli-check.ts';
import {access, assistantsAccess, clock, health, resource, signingKey, versions} from './checks/platform-checks.ts';
import {claims, hasOwnToken, ownToken, signIn, token} from './checks/sign-in-checks.ts';

/**
 * Returns every check of a deployment, from the ground up: the higher checks depend on the lower ones.
 *
 * @param byOrganisation the entries that an organisation has installed; for an assistant that also has entries of the
 *   context, only those of the context are checked
 */
export const checksOf = (subject: Subject, byOrganisation: readonly OrganisationEntry[] = []): readonly Check[] => {
  const {controlPlaneUrl, observerUrl, authUrl, context, platform, assistants} = subject;
  const entries = context ? assistantChecks(context, platform) : [];
  return [
    ...inLayer('machine', [node, proxy, trust, config, credentials, ownFiles, assistantFiles]),
    ...inLayer('network', [
      ...networkChecks('control-plane', controlPlaneUrl),
      ...networkChecks('identity-provider', authUrl),
      ...(observerUrl ? networkChecks('observer', observerUrl) : []),
    ]),
    ...inLayer('platform', [
      health('control-plane', lastNetworkCheck('control-plane', subject)),
      ...(observerUrl ? [health('observer', lastNetworkCheck('observer', subject))] : []),
      clock,
      versions,
      resource,
    ]),
    ...inLayer('identity-provider', [
      discovery(lastNetworkCheck('identity-provider', subject)),
      issuer,
      grants,
      redirectUrl,
      callbackPort,
      browser,
    ]),
    ...inLayer('sign-in', [
      ...(platform.ownCli ? [ownCli(platform.ownCli)] : []),
      signIn,
      token,
      claims,
      signingKey,
      ...(hasOwnToken(subject) ? [ownToken] : []),
      access,
    ]),
    ...inLayer(
      'mcp',
      serversOf(subject, platform).flatMap(({server, url}) =>
        mcpChecks(server, url, {
          ground: server === 'control-plane' ? 'health-control-plane' : 'health-observer',
          token: server === 'observability' && hasOwnToken(subject) ? ownToken.id : token.id,
        }),
      ),
    ),
    ...inLayer('assistants', [
      ...entries,
      ...((context?.assistantsAccount ?? assistants) ? [assistantsAccess(entries.map(({id}) => id))] : []),
      ...organisationEntryChecks(
        byOrganisation.filter(({assistant: {id}}) => !context?.entries?.some(({assistant}) => assistant === id)),
      ),
    ]),
  ];
};

const inLayer = (layer: Layer, checks: readonly Check[]): readonly Check[] => checks.map(one => ({...one, layer}));
