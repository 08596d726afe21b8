import type {Row} from '../error-row.ts';
import {NETWORK} from '../exit-codes.ts';

/** Codes for failures between this machine and an address. */
export const networkCodes = {
  'network-name-not-found': {
    exit: NETWORK,
    whose: 'you',
    name: 'name not resolved',
    verdict: 'the name of {server} cannot be resolved',
    means: 'The name in the address could not be resolved to an IP address.',
    why: 'A typo, a disconnected VPN, or a DNS server that does not know the platform’s domain.',
    remedy: 'Check the spelling of the address, your DNS and your VPN.',
  },
  'network-refused': {
    exit: NETWORK,
    whose: 'either',
    name: 'connection refused',
    verdict: '{server} is not running, or not at this address',
    means: 'The machine was reached, but nothing is listening on that port.',
    why: 'The service is stopped or still starting, the port is wrong, or a port-forward has ended.',
    remedy:
      'Check that the platform is running and that the port is right. If you don’t run it yourself, ask your platform team to check it.',
  },
  'network-timeout': {
    exit: NETWORK,
    whose: 'either',
    name: 'no answer in time',
    verdict: '{server} does not answer',
    means: 'No answer arrived within the time limit.',
    why: 'A firewall drops the packets, a VPN or proxy is missing, or the service hangs.',
    remedy:
      'Check your connection, VPN and proxy, then try again. If others have the same problem, tell the platform’s operators.',
  },
  'network-reset': {
    exit: NETWORK,
    whose: 'either',
    name: 'connection cut',
    verdict: '{server} closed the connection before its answer was complete',
    means: 'The other side ended the connection before or during its answer.',
    why: 'A load balancer has no healthy backend, the address says http where the server expects https (or the reverse), or a firewall closes connections.',
    remedy:
      'Try again. If it keeps failing, check the port, and whether it speaks http or https. If both are right, tell the server’s operators.',
  },
  'network-wrong-scheme': {
    exit: NETWORK,
    whose: 'you',
    name: 'http and https mixed up',
    verdict: '{server} expects https where the address says http, or the reverse',
    means: 'The address says http, but the server speaks https, or the other way round.',
    why: 'The address starts with the wrong scheme, or the port belongs to the other one.',
    remedy: 'Try the address with the other scheme: http instead of https, or the reverse.',
  },
  'network-tls': {
    exit: NETWORK,
    whose: 'either',
    name: 'certificate not trusted',
    verdict: 'this computer does not trust the certificate of {server}',
    means: 'The certificate of the server was not accepted.',
    why: 'The certificate is from a private authority, has expired or is for another name, or a proxy is inspecting the traffic.',
    remedy: {
      do: 'Trust the certificate authority that signed it, or ask the server’s operators to fix the certificate.',
      flag: 'To trust it, pass --ca-file /path/to/ca.pem.',
    },
  },
  'network-client-certificate': {
    exit: NETWORK,
    whose: 'either',
    name: 'client certificate required',
    verdict: '{server} accepts only connections with a client certificate',
    means: 'The server accepts only connections with a client certificate.',
    why: 'The platform uses mutual TLS, and the certificate is missing or wrong.',
    remedy: {
      do: 'Get a client certificate from the platform’s operators.',
      flag: 'Pass it with --client-cert FILE --client-key FILE.',
    },
  },
  'network-proxy': {
    exit: NETWORK,
    whose: 'you',
    name: 'proxy not usable',
    verdict: 'the proxy to {server} cannot be used',
    means: 'The proxy between here and the platform could not be used.',
    why: 'Its address, port or protocol is wrong, or it is down.',
    remedy: {
      do: 'Check the proxy’s address, and that the proxy is running. Or use another proxy, or none.',
      flag: 'Pass --proxy URL for another proxy, or --proxy none for no proxy.',
    },
  },
  'network-proxy-sign-in': {
    exit: NETWORK,
    whose: 'you',
    name: 'proxy requires a sign-in',
    verdict: 'the proxy requires a username and a password',
    means: 'The proxy asks for a username and a password (407).',
    why: 'They are missing or out of date, or the proxy requires a method that is not supported (Negotiate, NTLM, Digest).',
    remedy: [
      {do: 'Sign in to the proxy.', flag: 'Pass --proxy http://USER:PASSWORD@HOST:PORT.'},
      'If the proxy requires Negotiate, NTLM or Digest, run a local proxy that supports it, such as Px or Cntlm, and use that one.',
    ],
  },
  'network-proxy-denied': {
    exit: NETWORK,
    whose: 'you',
    orElse: 'whoever runs the proxy',
    name: 'blocked by the proxy',
    verdict: 'the proxy blocks {server}',
    means: 'The proxy refuses to connect to this address.',
    why: 'The proxy allows only certain hosts or ports.',
    remedy: {
      do: 'Ask whoever runs the proxy to let this address through, or bypass it.',
      flag: 'To bypass it, pass --proxy none.',
    },
  },
  'network-portal': {
    exit: NETWORK,
    whose: 'either',
    name: 'network sign-in page',
    verdict: 'your network sent a page of its own instead of the answer from {server}',
    means:
      'Your network sent a page of its own instead of the server’s answer. Often it is the page on which you sign in to the Wi-Fi.',
    why: 'A captive portal, such as in a hotel, or a filter that blocks the address.',
    remedy:
      'Open the address in a browser, without its path. If your network asks you to sign in or blocks the page, sort that out first. Otherwise, tell the platform’s operators.',
  },
  'network-lost': {
    exit: NETWORK,
    whose: 'you',
    name: 'answer lost',
    verdict: 'the connection to {server} broke before the answer came',
    means: 'The connection broke after the request was sent, so it may or may not have been carried out.',
    why: 'A network change, a restart of the server, or a proxy with a short time limit.',
    remedy:
      'Check whether the platform carried out the request, such as creating a client, before you repeat it: it may have gone through.',
  },
  'network-bad-port': {
    exit: NETWORK,
    whose: 'either',
    name: 'port not allowed',
    verdict: 'the port in the address of {server} is not allowed',
    means: 'Browsers and HTTP clients refuse to connect to this port.',
    why: 'The platform is served on a port that is reserved for another protocol (for example 6000 or 6667).',
    remedy: 'Check the port in the address. If it is right, ask the platform’s operators to serve it on another one.',
  },
  'network-insecure': {
    exit: NETWORK,
    whose: 'you',
    name: 'plain http',
    verdict: 'the connection to {server} is not encrypted',
    means: 'The address starts with http and is not on this machine, so tokens could be read on the network.',
    why: 'The platform is a test installation without TLS, or the address was typed with http.',
    remedy: {
      do: 'Use the server’s https address if it has one. If not, allow plain http for this host.',
      flag: 'To allow it, pass --allow-http HOST.',
    },
  },
  'network-redirected': {
    exit: NETWORK,
    whose: 'either',
    name: 'redirected elsewhere',
    verdict: '{server} redirects to another address',
    means: 'The server redirects to another address. This program does not follow a redirect with your credentials.',
    why: 'The address is outdated or incomplete, http is redirected to https, or the service is behind a sign-in proxy.',
    remedy:
      'Use the address that it redirects to, if you trust it and it is not a sign-in page. If not, ask the platform’s operators for the right address.',
  },
  'network-failed': {
    exit: NETWORK,
    whose: 'you',
    name: 'network failure',
    verdict: 'the call to {server} failed on the network',
    means: 'The call failed on the network, for a reason that has no code of its own.',
    why: 'See the message for what the system reported.',
    remedy: 'Check the address and your connection, then try again.',
  },
} as const satisfies Record<string, Row>;
