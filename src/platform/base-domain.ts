import {SetupError} from '../errors.ts';
import type {Platform} from './platform.ts';

/** A base domain as a person gives it: with the scheme and port of the gateway where they said so. */
export type BaseDomain = {readonly name: string; readonly scheme?: 'http' | 'https'; readonly port?: number};

const hostname = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * Reads a base domain, or any address of the platform that was pasted in its place: `acme.localhost`,
 * `acme.localhost:9080`, `http://api.acme.localhost:8080/health`.
 *
 * @throws SetupError `input-invalid`
 */
export const parseBaseDomain = (text: string, platform: Platform): BaseDomain => {
  const given = text.trim().toLowerCase();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//.test(given);
  const address = hasScheme ? given : `http://${given}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.username !== '' || url.password !== '')) {
    throw new SetupError('input-invalid', 'An address holds no username and no password. Leave them out.');
  }
  if (!url || !isDomain(url.hostname) || !['http:', 'https:'].includes(url.protocol)) {
    const shown = text
      .trim()
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 100);
    throw new SetupError('input-invalid', `“${shown}” is not a base domain. It looks like acme.example.com.`, {
      remedy: 'A platform without names is given by its addresses: --control-plane-url, --observer-url, --auth-url.',
    });
  }
  const {name, label} = withoutLabels(url.hostname, platform);
  // The observer has a port of its own, which says nothing of the gateway's.
  const port = label === platform.labels.observer ? '' : url.port;
  return {
    name,
    ...(hasScheme ? {scheme: url.protocol === 'https:' ? 'https' : 'http'} : {}),
    ...(port === '' ? {} : {port: Number(port)}),
  };
};

/** The base domain in a control plane's address; its bare host where that is no name with labels. */
export const baseDomainOf = (controlPlaneUrl: string, platform: Platform): BaseDomain => {
  const {hostname} = new URL(controlPlaneUrl);
  return isDomain(hostname) ? parseBaseDomain(controlPlaneUrl, platform) : {name: hostname};
};

/** A name that labels can be put in front of: no IP address. */
export const isDomain = (name: string): boolean => hostname.test(name) && !/^[\d.]+$/.test(name);

const withoutLabels = (host: string, {labels, observabilityLabel}: Platform) => {
  const prefixes = [
    `${labels.observer}.${observabilityLabel}`,
    labels.observer,
    labels['control-plane'],
    labels['identity-provider'],
  ];
  const prefix = prefixes.find(one => host.startsWith(`${one}.`));
  return prefix ? {name: host.slice(prefix.length + 1), label: prefix.split('.')[0]} : {name: host};
};
