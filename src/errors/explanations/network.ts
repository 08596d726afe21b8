import type {Explanation} from './explanation.ts';

export const networkExplanations = {
  'network-name-not-found': {
    name: 'name not resolved',
    means: 'The name in the address could not be resolved to an IP address.',
    why: 'A typo, a disconnected VPN, or a DNS server that does not know the platform’s domain.',
  },
  'network-refused': {
    name: 'connection refused',
    means: 'The machine was reached, but nothing is listening on that port.',
    why: 'The service is stopped or still starting, the port is wrong, or a port-forward has ended.',
  },
  'network-timeout': {
    name: 'no answer in time',
    means: 'No answer arrived within the time limit.',
    why: 'A firewall drops the packets, a VPN or proxy is missing, or the service hangs.',
  },
  'network-reset': {
    name: 'connection cut',
    means: 'The other side ended the connection before it answered.',
    why: 'A load balancer has no healthy backend, the address mixes up http and https, or a firewall closes connections.',
  },
  'network-wrong-scheme': {
    name: 'http and https mixed up',
    means: 'The server speaks https where the address says http, or the other way round.',
    why: 'The address starts with the wrong scheme, or the port belongs to the other one.',
  },
  'network-tls': {
    name: 'certificate not trusted',
    means: 'The certificate of the server was not accepted.',
    why: 'The certificate is from a private authority, has expired or is for another name, or a proxy is inspecting the traffic.',
  },
  'network-client-certificate': {
    name: 'client certificate required',
    means: 'The server accepts only connections with a client certificate.',
    why: 'The platform uses mutual TLS, and the certificate is missing or wrong.',
  },
  'network-proxy': {
    name: 'proxy not usable',
    means: 'The proxy between here and the platform could not be used.',
    why: 'Its address, port or protocol is wrong, or it is down.',
  },
  'network-proxy-sign-in': {
    name: 'proxy requires a sign-in',
    means: 'The proxy asks for a username and a password (407).',
    why: 'They are missing or out of date, or the proxy requires a method that is not supported (NTLM, Kerberos).',
  },
  'network-proxy-denied': {
    name: 'blocked by the proxy',
    means: 'The proxy refuses to connect to this address.',
    why: 'The proxy allows only certain hosts or ports.',
  },
  'network-portal': {
    name: 'network sign-in page',
    means: 'A page from your network answered instead of the platform.',
    why: 'A captive portal, such as in a hotel, or a filter that blocks the address.',
  },
  'network-lost': {
    name: 'answer lost',
    means: 'The connection broke after the request was sent, so it may or may not have been carried out.',
    why: 'A network change, a restart of the server, or a proxy with a short time limit.',
  },
  'network-bad-port': {
    name: 'port not allowed',
    means: 'Browsers and HTTP clients refuse to connect to this port.',
    why: 'The platform is served on a port that is reserved for another protocol (for example 6000 or 6667).',
  },
  'network-insecure': {
    name: 'plain http',
    means: 'The address starts with http and is not on this machine, so tokens could be read on the network.',
    why: 'The platform is a test installation without TLS, or the address was typed with http.',
  },
  'network-redirected': {
    name: 'redirected elsewhere',
    means: 'The server redirects elsewhere, and a call with credentials must not follow.',
    why: 'The address is outdated or incomplete, http is redirected to https, or the service is behind a sign-in proxy.',
  },
  'network-failed': {
    name: 'network failure',
    means: 'The call failed on the network, for a reason that has no code of its own.',
    why: 'See the message for what the system reported.',
  },
} as const satisfies Record<string, Explanation>;
