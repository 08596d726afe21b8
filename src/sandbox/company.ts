import {COMPANY_FILE_PATH} from '../platform/candidates.ts';
import type {Platform} from '../platform/platform.ts';
import type {Hosts} from './http/host-router.ts';
import {sendJson} from './http/reply.ts';
import {router} from './http/router.ts';
import type {Kind} from './kinds/kind.ts';

/** A platform under a company's names, and the company file that says so, as JSON. */
export type SandboxCompany = {readonly platform: Platform; readonly file: unknown};

/** The kind of platform, called as the company calls it. */
export const asCompany = (kind: Kind, {platform}: SandboxCompany): Kind => {
  const {versionName, resourceNames} = platform.recognition;
  const [controlPlane = kind.resourceNames.controlPlane, observer = kind.resourceNames.observer] = resourceNames;
  return {
    ...kind,
    platform,
    names: {...kind.names, controlPlane: versionName},
    resourceNames: {controlPlane, observer},
  };
};

/** Where the company file is: on the base domain itself, behind the gateway. */
export const companyFileAt = (baseDomain: string, controlPlaneUrl: string): URL => {
  const {protocol, port} = new URL(controlPlaneUrl);
  return new URL(COMPANY_FILE_PATH, `${protocol}//${baseDomain}${port ? `:${port}` : ''}`);
};

/** The hosts behind the gateway, and the base domain with the company file. */
export const servingFile = (hosts: Hosts, url: URL, {file}: SandboxCompany): Hosts => ({
  ...hosts,
  handlers: new Map([
    ...hosts.handlers,
    [url.host, router({[COMPANY_FILE_PATH]: {GET: (_, response) => sendJson(response, 200, file)}})],
  ]),
});
