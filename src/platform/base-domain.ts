import {orByFlag} from '../errors/error-row.ts';
import {SetupError} from '../errors/errors.ts';
import type {Platform} from './platform.ts';

/** A base domain as a person gives it: with the scheme and port of the gateway where they said so. */
export type BaseDomain = {
  readonly name: string;
  readonly scheme?: 'http' | 'https';
  readonly port?: number;
  /** Whether https answers where plain http is usual: at the local ports, of a platform on this machine. */
  readonly isServedOverTls?: boolean;
  /** The observer's address, where that is what was given: its port says nothing of the gateway's. */
  readonly observerUrl?: string;
};

const hostname = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * Reads a base domain, or any address of the platform that was pasted in its place: `acme.localhost`,
 * `acme.localhost:80`, `http://api.acme.localhost/health`. What was written is taken by its letter, a port that is the
 * scheme's own included; only what was left out is left to guess.
 *
 * @param platforms the kinds of platform whose labels may stand in front of it
 * @throws SetupError `input-invalid`
 */
export const parseBaseDomain = (text: string, platforms: readonly Platform[]): BaseDomain => {
  const given = text.trim().toLowerCase();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//.test(given);
  const address = hasScheme ? given : `http://${given}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.username !== '' || url.password !== '')) {
    throw new SetupError('input-invalid', 'Leave the username and password out of the address.');
  }
  if (!url || !isDomain(url.hostname) || !['http:', 'https:'].includes(url.protocol)) {
    const shown = text
      .trim()
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 100);
    throw new SetupError(
      'input-invalid',
      `“${shown}” is not a base domain. A base domain looks like acme.example.com.`,
      {
        remedy: orByFlag(
          'A platform without names is given by its addresses.',
          'Pass them with --control-plane-url, --observer-url and --auth-url.',
        ),
      },
    );
  }
  const {name, service} = withoutLabels(url.hostname, platforms);
  const scheme = hasScheme ? {scheme: url.protocol === 'https:' ? ('https' as const) : ('http' as const)} : {};
  if (service === 'observer') return {name, ...scheme, ...(hasScheme ? {observerUrl: url.origin} : {})};
  const port = portIn(address) ?? (hasScheme && service ? standardPort(url) : undefined);
  return {name, ...scheme, ...(port === undefined ? {} : {port})};
};

/** The port as it is written: a URL drops the one that is its scheme's own. */
const portIn = (address: string): number | undefined => {
  const [, port] = /^[^/]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(address) ?? [];
  return port === undefined ? undefined : Number(port);
};

/** A whole address without a port means its scheme's. */
const standardPort = ({protocol}: URL): number => (protocol === 'https:' ? 443 : 80);

/** The base domain in a control plane's address; its bare host where that is no name with labels. */
export const baseDomainOf = (controlPlaneUrl: string, platforms: readonly Platform[]): BaseDomain => {
  const {hostname} = new URL(controlPlaneUrl);
  return isDomain(hostname) ? parseBaseDomain(controlPlaneUrl, platforms) : {name: hostname};
};

/** A name that labels can be put in front of: no IP address. */
export const isDomain = (name: string): boolean => hostname.test(name) && !/^[\d.]+$/.test(name);

const withoutLabels = (host: string, platforms: readonly Platform[]) => {
  const prefixes = platforms.flatMap(({labels, observabilityLabel}) => [
    {prefix: `${labels.observer}.${observabilityLabel}.`, service: 'observer' as const},
    {prefix: `${labels.observer}.`, service: 'observer' as const},
    {prefix: `${labels['control-plane']}.`, service: 'control-plane' as const},
    {prefix: `${labels['identity-provider']}.`, service: 'identity-provider' as const},
  ]);
  const found = prefixes.find(({prefix}) => host.startsWith(prefix));
  return found ? {name: host.slice(found.prefix.length), service: found.service} : {name: host};
};
