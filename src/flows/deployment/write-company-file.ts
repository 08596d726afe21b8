import {isIP} from 'node:net';
import {addressOf} from '../../domain/address.ts';
import type {Deployment} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Company} from '../../platform/company-file.ts';
import {differences, type Platform, type PlatformChanges, withChanges} from '../../platform/platform.ts';
import {cleanText} from '../../text.ts';
import type {Flow, Run} from '../flow.ts';
import {isSuccess, type JsonObject, readJson, textAt} from '../http-answers.ts';
import {stoppable} from '../stoppable.ts';
import {type CliClient, findCliClient} from './cli-client.ts';

type Input = {
  readonly deployment: Deployment;
  /** The kind of platform, as it is built into this program. */
  readonly platform: Platform;
  /** The company file by which the deployment was found; its own texts are kept. */
  readonly company?: Company;
  readonly contact?: string;
  /** The client with which people sign in, if it was found already. */
  readonly client?: CliClient;
  /** The URL to which the browser returns after a person's sign-in, if it was given. */
  readonly callbackUrl?: string;
};

/**
 * Returns a company file for a deployment that answers, as JSON: only its differences from the descriptor of its kind.
 * If the deployment was found by a company file, the contents of that file stay.
 *
 * @throws SetupError `network-*`, `input-required` as `inBaseDomain` does
 */
export const writeCompanyFile: Flow<Input, JsonObject> = ({platform, company, ...learned}, run) =>
  stoppable(run, async run => {
    const deployment = inBaseDomain(learned.deployment);
    const {baseDomain, controlPlaneUrl} = deployment;
    const {name = platform.name, localBaseDomain: _, ...known} = deployment.descriptor ?? {};
    const [client, own, atObserver] = await Promise.all([
      learned.client ?? findCliClient({platform, controlPlaneUrl}, run),
      selfOf(controlPlaneUrl, platform, run),
      deployment.observerUrl === undefined ? undefined : selfOf(deployment.observerUrl, platform, run),
    ]);
    const named = [own.resourceName, atObserver?.resourceName].filter(name => name !== undefined);
    const isKnown = named.every(name => platform.recognition.resourceNames.includes(name));
    const there = {
      ...hostsOf(deployment),
      ports: portsOf(deployment),
      recognition: {
        ...(own.name === undefined ? {} : {versionName: own.name}),
        ...(isKnown ? {} : {resourceNames: named}),
      },
      ...(client.isAssumed ? {} : {cliClient: {clientId: client.clientId, scopes: client.scopes}}),
      ...(learned.callbackUrl === undefined ? {} : {callbackUrl: learned.callbackUrl}),
    } satisfies PlatformChanges;
    const changes = differences(platform, withChanges(known, there));
    const {contact = learned.contact, documentation = [], minimumVersion, defaults = {}} = company ?? {};
    return {
      schemaVersion: 1,
      name,
      baseDomain,
      extends: platform.id,
      ...(contact === undefined ? {} : {contact}),
      ...(documentation.length > 0 ? {documentation} : {}),
      ...(minimumVersion === undefined ? {} : {minimumVersion}),
      ...(changes === undefined ? {} : {platform: changes}),
      ...(Object.keys(defaults).length > 0 ? {defaults} : {}),
    };
  });

/**
 * Returns a deployment with a base domain above its hosts, because a company file names each host by its labels. Where
 * only addresses were given, that is the domain of the control plane and the observer together.
 *
 * @throws SetupError `input-required` if the addresses name none
 */
export const inBaseDomain = (deployment: Deployment): Deployment => {
  const {baseDomain, controlPlaneUrl, observerUrl} = deployment;
  const {hostname} = new URL(controlPlaneUrl);
  if (hostname !== baseDomain) return deployment;
  const above = hostname.slice(hostname.indexOf('.') + 1);
  const isShared = observerUrl !== undefined && new URL(observerUrl).hostname.endsWith(`.${above}`);
  if (isShared && above !== hostname && isIP(hostname) === 0) return {...deployment, baseDomain: above};
  throw new SetupError('input-required', `${controlPlaneUrl} does not say which base domain the company file is for.`, {
    remedy: 'Pass the base domain of the platform with --base-domain, besides the addresses.',
    about: {flag: 'base-domain'},
  });
};

/**
 * Returns the labels before the base domain in each host. A host elsewhere, such as the company’s own identity
 * provider, has none.
 */
const hostsOf = ({baseDomain, controlPlaneUrl, authUrl, observerUrl, layout}: Deployment): PlatformChanges => {
  const label = (url: string | undefined) => {
    const {hostname} = new URL(url ?? 'http://elsewhere.invalid');
    return hostname.endsWith(`.${baseDomain}`) ? hostname.slice(0, -baseDomain.length - 1) : undefined;
  };
  const [controlPlane, identityProvider, observer] = [label(controlPlaneUrl), label(authUrl), label(observerUrl)];
  const at = layout === 'multi' ? (observer?.lastIndexOf('.') ?? -1) : -1;
  const [own, plane] = at < 0 ? [observer] : [observer?.slice(0, at), observer?.slice(at + 1)];
  return {
    labels: {
      ...(controlPlane ? {'control-plane': controlPlane} : {}),
      ...(identityProvider ? {'identity-provider': identityProvider} : {}),
      ...(own ? {observer: own} : {}),
    },
    ...(plane ? {observabilityLabel: plane} : {}),
  };
};

/** Returns the ports of the addresses over plain http. For https, a company file cannot name a port. */
const portsOf = ({controlPlaneUrl, observerUrl, layout}: Deployment): NonNullable<PlatformChanges['ports']> => {
  const [gateway, observer] = [portIn(controlPlaneUrl), portIn(observerUrl)];
  return {
    ...(gateway === undefined ? {} : {gateway}),
    ...(observer === undefined ? {} : {observer: {[layout === 'multi' ? 'multi' : 'single']: observer}}),
  };
};

const portIn = (address: string | undefined): number | undefined => {
  if (address === undefined) return undefined;
  const {protocol, port} = new URL(address);
  return protocol === 'http:' ? Number(port || 80) : undefined;
};

/** Returns the names that a server gives for itself, if it does. */
const selfOf = async (server: string, {paths}: Platform, {ports: {http}, signal, tell}: Run) => {
  const ask = async (path: string): Promise<JsonObject> => {
    const url = addressOf(server, path);
    try {
      const reply = await http.send({method: 'GET', url, redirects: 'answer'}, {signal, report: tell});
      return isSuccess(reply) ? readJson(reply, url) : {};
    } catch {
      signal.throwIfAborted();
      return {};
    }
  };
  const [version, metadata] = await Promise.all([ask(paths.version), ask(paths.protectedResource)]);
  const [name, resourceName] = [textAt(version, 'name'), textAt(metadata, 'resource_name')];
  return {
    ...(name === undefined ? {} : {name: cleanText(name)}),
    ...(resourceName === undefined ? {} : {resourceName: cleanText(resourceName)}),
  };
};
