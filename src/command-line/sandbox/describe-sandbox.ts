import {candidatesOf} from '../../platform/addresses.ts';
import type {Platform} from '../../platform/platform.ts';
import {findPlatform} from '../../platform/platforms.ts';
import {type Shell, setVariable, shellWord} from '../../ports/processes/shell.ts';
import type {SandboxReady} from '../../sandbox/sandbox.ts';
import {SETUP} from '../../setup-command.ts';
import {fitHelp, fitSentence} from '../output/fit-text.ts';
import {bindUsage} from './sandbox-bindings.ts';
import {faultLines, type WantedFaults} from './sandbox-faults.ts';

type About = {
  readonly wanted: WantedFaults;
  /** The platform whose names the sandbox uses, if they are not the names of its kind of platform. */
  readonly platform?: Platform;
  /** The command that makes the sandbox's certificate trusted, if that is necessary. */
  readonly trust?: string;
  /** True if the sandbox's faults can be fixed from the terminal that shows this description. */
  readonly mendable: boolean;
  /** True if roles can be given in that terminal. */
  readonly bindable?: boolean;
  /** The redirect URL that is registered in the sandbox instead of the platform's. */
  readonly redirectUri?: string;
  /** The shell that the command is for; by default a POSIX one. */
  readonly shell?: Shell;
  /** The width of the terminal, in columns; without it no line is broken. */
  readonly width?: number | undefined;
};

/** Describes a running sandbox: its addresses, its accounts, its faults and how they end, and how a setup finds it. */
export const describeSandbox = (ready: SandboxReady, about: About): string => {
  const {wanted, platform = findPlatform(ready.platform), trust, mendable, bindable = false, width} = about;
  const {redirectUri, shell = 'posix'} = about;
  const sentence = (text: string) => fitSentence(text, width);
  const table = (rows: Rows) => columns(rows).map(row => fitHelp(row, width));
  const {release, layout, controlPlaneUrl, observerUrl, authUrl, portalUrl, people, applicationId, clients} = ready;
  const rows: Rows = [
    ['Control plane', controlPlaneUrl],
    ['Observer', observerUrl],
    ['Identity provider', authUrl],
    ['Developer portal', portalUrl],
    ...people.map(
      ({username, password}, index) => [index === 0 ? 'Administrator' : 'Person', `${username} / ${password}`] as const,
    ),
    ...(applicationId ? [['Sample App', applicationId] as const] : []),
    ...clients.map(
      ({clientId, clientSecret, tokenEndpointAuthMethod}) =>
        [clientId, `${tokenEndpointAuthMethod}${clientSecret ? `, secret ${clientSecret}` : ''}`] as const,
    ),
  ];
  const wrong = faultLines(wanted);
  return [
    '',
    sentence(
      `Sandbox platform of release ${release}, ${layout}-cluster. It keeps everything in memory, and loses it when it stops.`,
    ),
    '',
    ...table(rows),
    '',
    ...(wrong.length > 0 ? [sentence('Its faults:'), '', ...table(wrong), ''] : []),
    sentence(
      trust === undefined ? 'In another terminal:' : 'In another terminal (the first line trusts its certificate):',
    ),
    '',
    ...(trust === undefined ? [] : [trust]),
    [
      SETUP,
      ...(wanted.noBrowser ? ['--no-browser'] : []),
      whereabouts(ready, platform),
      ...(redirectUri === undefined ? [] : [`--redirect-uri ${shellWord([redirectUri], shell)}`]),
    ].join(' '),
    '',
    ...(mendable ? [sentence('Press Enter to fix everything, or type the name of a fault to fix only that one.')] : []),
    ...(bindable ? [sentence(`To give a role: ${bindUsage}`)] : []),
    sentence('Press Ctrl-C to stop it.'),
    '',
    '',
  ].join('\n');
};

type Rows = readonly (readonly [string, string])[];

const columns = (rows: Rows) => {
  const width = Math.max(18, ...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`);
};

/** Returns the command that makes a certificate trusted. Node reads it once, when a program starts. */
export const trustBy = (file: string, shell: Shell): string => setVariable('NODE_EXTRA_CA_CERTS', file, shell);

/** Returns the flags by which a setup finds it: its base domain if the ports are the usual ones, else its addresses. */
const whereabouts = (ready: SandboxReady, platform: Platform): string => {
  const {baseDomain, controlPlaneUrl, observerUrl, authUrl, layout, companyFile} = ready;
  const usual = candidatesOf(platform, {name: baseDomain}, {}, layout).map(({url}) => url);
  if ([controlPlaneUrl, observerUrl, authUrl].every(url => usual.includes(url))) {
    return `--base-domain ${companyFile ? new URL(companyFile).host : baseDomain}`;
  }
  return `--control-plane-url ${controlPlaneUrl} --observer-url ${observerUrl} --auth-url ${authUrl}`;
};
