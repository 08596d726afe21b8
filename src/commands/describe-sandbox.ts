import {bundled} from '../platform/bundled.ts';
import {candidatesOf} from '../platform/candidates.ts';
import type {SandboxReady} from '../sandbox/sandbox.ts';
import {faultLines, type WantedFaults} from './sandbox-faults.ts';

/**
 * What a person reads of a sandbox that is ready: where it is, who may sign in, what is wrong with it, and how a setup
 * finds it.
 *
 * @param authorityFile where the certificate lies that has to be trusted first, if there is one
 */
export const describeSandbox = (ready: SandboxReady, wanted: WantedFaults, authorityFile?: string): string => {
  const {layout, controlPlaneUrl, observerUrl, authUrl, admin, applicationId, clients} = ready;
  const rows: (readonly [string, string])[] = [
    ['Control plane', controlPlaneUrl],
    ['Observer', observerUrl],
    ['Identity provider', authUrl],
    ['Developer portal', `${authUrl}${bundled.paths.developerPortal}`],
    ['Administrator', `${admin.username} / ${admin.password}`],
    ['Sample App', applicationId],
    ...clients.map(
      ({clientId, clientSecret, tokenEndpointAuthMethod}) =>
        [clientId, `${tokenEndpointAuthMethod}${clientSecret ? `, secret ${clientSecret}` : ''}`] as const,
    ),
  ];
  const wrong = faultLines(wanted);
  return [
    '',
    `  Sandbox platform, ${layout}-cluster. Everything is in memory and gone when it ends.`,
    '',
    ...columns(rows),
    '',
    ...(wrong.length > 0 ? ['  What is wrong with it:', '', ...columns(wrong), ''] : []),
    ...(authorityFile ? ['  To trust its certificate there, as long as it runs:', '', trust(authorityFile), ''] : []),
    '  In another terminal:',
    '',
    `npx setup ${wanted.noBrowser ? '--no-browser ' : ''}${whereabouts(ready)}`,
    '',
    '  Ctrl-C ends it.',
    '',
    '',
  ].join('\n');
};

const columns = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([name, value]) => `  ${name.padEnd(20)}${value}`);

/** Node reads it once, when a program starts. */
const trust = (file: string) => `export NODE_EXTRA_CA_CERTS='${file}'`;

/** The flags with which a setup finds it: its base domain where the ports are the usual ones, else its addresses. */
const whereabouts = ({baseDomain, controlPlaneUrl, observerUrl, authUrl, layout}: SandboxReady): string => {
  const usual = candidatesOf(bundled, {name: baseDomain}, {}, layout).map(({url}) => url);
  if ([controlPlaneUrl, observerUrl, authUrl].every(url => usual.includes(url))) return `--base-domain ${baseDomain}`;
  return `--control-plane-url ${controlPlaneUrl} --observer-url ${observerUrl} --auth-url ${authUrl}`;
};
