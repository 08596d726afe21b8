import type {Explanation} from './explanation.ts';

export const networkExplanations = {
  'network-name-not-found': {
    name: 'name not resolved',
    means: 'The name in the address could not be resolved to an IP address.',
    why: 'A typing error, a VPN that is off, or a DNS server that does not know the platform’s domain.',
  },
  'network-refused': {
    name: 'connection refused',
    means: 'The machine was reached, and nothing listens at that port.',
    why: 'The service is stopped or still starting, the port is another one, or a port-forward has ended.',
  },
  'network-timeout': {
    name: 'no answer in time',
    means: 'Nothing came back within the time that a call may take.',
    why: 'A firewall drops the packets, a VPN or proxy is missing, or the service hangs.',
  },
  'network-reset': {
    name: 'connection cut',
    means: 'The other side ended the connection before it answered.',
    why: 'A load balancer without a healthy backend, http where https is spoken or the reverse, or a firewall that ends connections.',
  },
  'network-wrong-scheme': {
    name: 'http and https mixed up',
    means: 'The server speaks the other of http and https.',
    why: 'The address begins with the wrong one, or the port belongs to the other.',
  },
  'network-tls': {
    name: 'certificate not trusted',
    means: 'The certificate of the server was not accepted.',
    why: 'A private authority that this machine does not know, an expired certificate, one for another name, or a proxy that inspects traffic.',
  },
  'network-client-certificate': {
    name: 'client certificate wanted',
    means: 'The server takes only connections that show a client certificate.',
    why: 'The platform uses mutual TLS, and no certificate was passed, or not the right one.',
  },
  'network-proxy': {
    name: 'proxy not usable',
    means: 'The proxy between here and the platform could not be used.',
    why: 'Its address or port is wrong, it is down, or it speaks another protocol than its address says.',
  },
  'network-proxy-sign-in': {
    name: 'proxy wants a sign-in',
    means: 'The proxy asks for a username and a password (407).',
    why: 'None was passed, the password has changed, or the proxy wants a way to sign in that is not supported (NTLM, Kerberos).',
  },
  'network-proxy-denied': {
    name: 'blocked by the proxy',
    means: 'The proxy refuses to connect to this address.',
    why: 'A rule of whoever runs the proxy, often a list of allowed hosts or ports.',
  },
  'network-portal': {
    name: 'sign-in page of the network',
    means: 'A page of the network answered in the place of the platform.',
    why: 'A captive portal of a hotel or an office, or a filter that blocks the address.',
  },
  'network-lost': {
    name: 'answer lost',
    means: 'The connection broke after the request was sent, so nobody knows whether it was carried out.',
    why: 'A network change, a restart of the server, or a proxy with a short time limit.',
  },
  'network-bad-port': {
    name: 'port not allowed',
    means: 'Browsers and HTTP clients refuse to connect to this port.',
    why: 'The platform is served on a port that is reserved for another protocol (for example 6000 or 6667).',
  },
  'network-insecure': {
    name: 'plain http',
    means: 'The address begins with http and leads off this machine, so tokens would be readable on the way.',
    why: 'A test installation without TLS, or an address that was typed with http.',
  },
  'network-redirected': {
    name: 'redirected elsewhere',
    means: 'The server answers with a redirect that a call with credentials must not follow.',
    why: 'The address is an old or a short one, http is redirected to https, or a sign-in proxy stands in front.',
  },
  'network-failed': {
    name: 'network failure',
    means: 'The call failed on the way, in a way that has no name of its own.',
    why: 'See the message for what the system reported.',
  },
} as const satisfies Record<string, Explanation>;
