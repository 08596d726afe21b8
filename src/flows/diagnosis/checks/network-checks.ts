import {pass, warn} from '../../../domain/finding.ts';
import {remedyOf} from '../../../errors/describe-error.ts';
import {SetupError} from '../../../errors/errors.ts';
import {phrase} from '../../../errors/remedy.ts';
import type {Service} from '../../../platform/platform.ts';
import {translateNetworkError} from '../../../ports/network/network-errors.ts';
import {isGivenAddresses} from '../../../ports/network/proxies.ts';
import {duration} from '../../../text.ts';
import {type Check, isOfWizard, type Subject, setUpOrContinue} from '../check.ts';

const names: Readonly<Record<Service, string>> = {
  'control-plane': 'control plane',
  'identity-provider': 'identity provider',
  observer: 'observer',
};

/** A certificate that expires within this time gets a warning. In milliseconds. */
const SOON = 14 * 86_400_000;

/**
 * Returns the checks of the layers below HTTP for one service: its name, a connection, and the certificate if there is
 * one.
 */
export const networkChecks = (service: Service, address: string): readonly Check[] => {
  const url = new URL(address);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const name: Check = {
    id: `name-${service}`,
    server: service,
    title: `Name of the ${names[service]}`,
    needs: ['config'],
    address: () => address,
    run: async ({ports}) => {
      const proxy = await ports.network.proxy(url);
      if (proxy !== undefined && !isGivenAddresses(proxy)) return pass(`the proxy ${proxy} resolves ${host}`);
      const {addresses, bySystem} = await ports.network.resolve(host);
      if (addresses.length === 0) {
        throw new SetupError('network-name-not-found', `${host} could not be resolved (${url.origin}).`, {
          about: {url: address},
        });
      }
      const saw = `${host} is ${addresses.join(', ')}`;
      // Browsers and this program resolve names below `localhost` by themselves (RFC 6761 6.3), so the system's
      // resolver need not know them.
      return pass(bySystem.length === 0 ? `${saw}; the system’s resolver gave no answer, and none is needed` : saw);
    },
  };
  const tcp: Check = {
    id: `tcp-${service}`,
    server: service,
    title: `Connection to the ${names[service]}`,
    needs: [name.id, 'proxy'],
    address: () => address,
    run: async ({ports, signal}) => {
      const proxy = await ports.network.proxy(url);
      const {address: at, ms} = await ports.network
        .connect(url, signal)
        .catch(error => Promise.reject(translateNetworkError(error, url, signal)));
      const where = proxy === undefined ? `${at} port ${port}` : `port ${port} through the proxy ${proxy}`;
      return pass(`${where}, ${ms} ms`);
    },
  };
  const tls: Check = {
    id: `tls-${service}`,
    server: service,
    title: `Certificate of the ${names[service]}`,
    needs: [tcp.id],
    address: () => address,
    run: async ({ports, signal, subject: looked}) => {
      const {subject, issuer, validTo, trusted, problem, authority} = await ports.network
        .certificate(url, signal)
        .catch(error => Promise.reject(translateNetworkError(error, url, signal)));
      const until = new Date(validTo).toISOString().slice(0, 10);
      const saw = `${subject || 'no name'}, by ${issuer || 'nobody'}, until ${until}`;
      if (!trusted) {
        const fault = translateNetworkError(Object.assign(new Error(), {code: problem}), url, signal, authority);
        // The wizard shows the whole certificate and asks; a running wizard is asking already.
        const {message, about} = fault;
        const shows = 'it shows you the certificate and asks whether you trust it';
        const orTrust = isOfWizard(looked)
          ? `Or go back to the setup: ${shows}.`
          : phrase`Or run ${setUpOrContinue(looked)}: ${shows}.`;
        const remedy = about.untrusted === undefined ? remedyOf(fault) : [remedyOf(fault), orTrust];
        // An intercepting program signs certificates with its own authority, so the message names the issuer.
        throw new SetupError(
          'network-tls',
          `${message} Its certificate names ${subject || 'no server'}, was issued by ${issuer || 'nobody'}, and has the expiry date ${until}.`,
          {remedy, about},
        );
      }
      const left = validTo - ports.clock.now();
      return left > SOON
        ? pass(saw)
        : warn(saw, `The certificate expires in ${duration(left)}.`, 'Ask the server’s operators to renew it.');
    },
  };
  return url.protocol === 'https:' ? [name, tcp, tls] : [name, tcp];
};

/** Returns the last network check of a service, which everything above depends on. */
export const lastNetworkCheck = (service: Service, subject: Subject): string => {
  const {controlPlaneUrl, observerUrl, authUrl} = subject;
  const address = {'control-plane': controlPlaneUrl, observer: observerUrl, 'identity-provider': authUrl}[service];
  return address?.startsWith('https:') ? `tls-${service}` : `tcp-${service}`;
};
