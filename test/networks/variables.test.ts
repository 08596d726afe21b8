import {describeSituations} from './support/describe-situations.ts';
import {proxyOnly, proxyUrls} from './support/situation.ts';

const {http, socksByName, down} = proxyUrls;

/** A connection that bypasses the proxy fails. */
const through = {proxy: {kind: 'squid'}, firewall: proxyOnly, end: 'connected'} as const;
/** The platform is reached directly. The proxy in the variable does not exist, so a connection through it fails. */
const past = {end: 'connected'} as const;

describeSituations('as curl reads them, the variables', [
  {...through, name: 'https_proxy, in lower case', env: {https_proxy: http}},
  {...through, name: 'https_proxy before HTTPS_PROXY', env: {https_proxy: http, HTTPS_PROXY: down}},
  {...through, name: 'HTTPS_PROXY where https_proxy is empty', env: {https_proxy: '', HTTPS_PROXY: http}},
  {...past, name: 'HTTPS_PROXY that is empty', env: {HTTPS_PROXY: ''}},
  {...past, name: 'HTTP_PROXY, which is nothing to https', env: {HTTP_PROXY: down, http_proxy: down}},
  {...through, name: 'ALL_PROXY', env: {ALL_PROXY: http}},
  {...through, name: 'all_proxy, in lower case', env: {all_proxy: http}},
  {...through, name: 'HTTPS_PROXY before ALL_PROXY', env: {HTTPS_PROXY: http, ALL_PROXY: down}},
  {
    ...through,
    name: 'ALL_PROXY with a scheme of SOCKS',
    proxy: {kind: 'socks'},
    env: {ALL_PROXY: socksByName},
  },
  {...through, name: 'HTTPS_PROXY without a scheme', env: {HTTPS_PROXY: 'proxy.corp.test:3128'}},
  {...past, name: 'NO_PROXY with a domain', env: {HTTPS_PROXY: down, NO_PROXY: 'localhost,acme.test'}},
  {...past, name: 'no_proxy with a dot before the domain', env: {HTTPS_PROXY: down, no_proxy: '.acme.test'}},
  {
    ...past,
    name: 'NO_PROXY with spaces and upper case',
    env: {HTTPS_PROXY: down, NO_PROXY: ' localhost , ACME.test '},
  },
  {...past, name: 'NO_PROXY with ports', env: {HTTPS_PROXY: down, NO_PROXY: 'acme.test:443'}},
  {
    ...through,
    name: 'NO_PROXY with the port of something else',
    env: {HTTPS_PROXY: http, NO_PROXY: 'acme.test:8443'},
  },
  {...through, name: 'NO_PROXY with a name that only ends alike', env: {HTTPS_PROXY: http, NO_PROXY: 'me.test'}},
  {...through, name: 'NO_PROXY that is empty', env: {HTTPS_PROXY: http, NO_PROXY: ''}},
  {...past, name: 'NO_PROXY with a star', env: {HTTPS_PROXY: down, NO_PROXY: '*'}},
  {
    ...through,
    name: 'NO_PROXY with a network, which is nothing to a name',
    env: {HTTPS_PROXY: http, NO_PROXY: '10.77.0.0/16'},
  },
  {
    name: 'NO_PROXY with a network, for an address in it',
    env: {HTTPS_PROXY: down, NO_PROXY: '10.77.0.0/16'},
    flags: ['--control-plane-url', 'https://10.77.2.2:444'],
    end: {code: 'network-refused', says: /https:\/\/10\.77\.2\.2:444\b/, saysNot: /proxy\.corp\.test/},
  },
  {
    name: 'HTTPS_PROXY that cannot be used',
    env: {HTTPS_PROXY: 'ftp://ann:not-her-password@proxy.corp.test:3128'},
    end: {code: 'input-invalid', exit: 2, says: /\bHTTPS_PROXY\b/, saysNot: /not-her-password/},
  },
  {...past, name: 'none of them, with --proxy none', env: {HTTPS_PROXY: down}, flags: ['--proxy', 'none']},
  {
    ...through,
    name: 'not them but --proxy, where both are given',
    env: {HTTPS_PROXY: down},
    flags: ['--proxy', http],
  },
]);
