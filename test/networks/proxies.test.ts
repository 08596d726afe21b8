import {describeSituations} from './support/describe-situations.ts';
import {PROXY_PASSWORD} from './support/proxies.ts';
import {proxyOnly, proxyUrls} from './support/situation.ts';

const {http, withPassword, down} = proxyUrls;
const toProxy = {firewall: proxyOnly, platform: {}} as const;
const squid = {...toProxy, proxy: {kind: 'squid'}} as const;
const guarded = {...toProxy, proxy: {kind: 'squid', password: true}} as const;

/** Matches the password as it was given or as an address contains it. */
const password = new RegExp(`${PROXY_PASSWORD}|${encodeURIComponent(PROXY_PASSWORD)}`);

describeSituations('squid', [
  {...squid, name: 'that is open, by HTTPS_PROXY', env: {HTTPS_PROXY: http}, end: 'connected'},
  {...squid, name: 'that is open, by --proxy', flags: ['--proxy', http], end: 'connected'},
  {
    ...guarded,
    name: 'that wants a password, which is in --proxy',
    flags: ['--proxy', withPassword('http')],
    end: 'connected',
  },
  {
    ...guarded,
    name: 'that wants a password, which is in HTTPS_PROXY',
    env: {HTTPS_PROXY: withPassword('http')},
    end: 'connected',
  },
  {
    ...guarded,
    name: 'that wants a password, where none is given',
    env: {HTTPS_PROXY: http},
    end: {code: 'network-proxy-sign-in', says: /\bproxy\.corp\.test:3128\b/},
  },
  {
    ...guarded,
    name: 'that wants a password, where a wrong one is given',
    flags: ['--proxy', 'http://ann:not-her-password@proxy.corp.test:3128'],
    end: {code: 'network-proxy-sign-in', says: /\bproxy\.corp\.test:3128\b/, saysNot: /not-her-password/},
  },
  {
    ...toProxy,
    name: 'that denies the address',
    proxy: {kind: 'squid', denies: true},
    env: {HTTPS_PROXY: http},
    end: {code: 'network-proxy-denied', says: /(?=.*\bproxy\.corp\.test:3128\b)(?=.*\b403\b)/},
  },
  {
    ...toProxy,
    name: 'that denies the address, where its password is in the variable',
    proxy: {kind: 'squid', denies: true},
    env: {HTTPS_PROXY: withPassword('http')},
    end: {code: 'network-proxy-denied', says: /(?=.*\bproxy\.corp\.test:3128\b)(?=.*\b403\b)/, saysNot: password},
  },
  {
    ...squid,
    name: 'that does not know the platform’s name',
    env: {HTTPS_PROXY: http},
    flags: ['--control-plane-url', 'https://api.gone.test'],
    end: {
      code: 'network-proxy',
      says: /(?=.*\bproxy\.corp\.test:3128\b)(?=.*\b50[0-4]\b)(?=.*\bapi\.gone\.test\b)/,
    },
  },
  {
    ...squid,
    name: 'that alone knows the platform’s names',
    names: {records: {'api.acme.test': [], 'idp.acme.test': [], 'observer.acme.test': []}},
    flags: ['--proxy', http],
    end: 'connected',
  },
  {
    ...toProxy,
    name: 'that takes 3 s for each tunnel',
    proxy: {kind: 'squid', delay: 3},
    env: {HTTPS_PROXY: http},
    end: 'connected',
  },
  {...squid, name: 'at an address of IPv6', flags: ['--proxy', 'http://[fd77:1::1]:3128'], end: 'connected'},
  {
    ...squid,
    name: 'in front of a platform that demands a certificate of clients',
    platform: {wantsCertificate: 'alert'},
    clientCertificate: 'client',
    flags: ['--proxy', http],
    end: 'connected',
  },
  {
    ...squid,
    name: 'in front of a platform without TLS',
    platform: {scheme: 'http'},
    flags: ['--proxy', http],
    env: {SETUP_ALLOW_HTTP: 'api.acme.test,idp.acme.test,observer.acme.test'},
    end: 'connected',
  },
]);

describeSituations('a proxy', [
  {
    ...toProxy,
    name: 'that does not listen',
    env: {HTTPS_PROXY: down},
    end: {code: 'network-proxy', says: /\bproxy\.corp\.test:3999\b/},
  },
  {
    ...toProxy,
    name: 'that does not listen, and has a password',
    flags: ['--proxy', 'http://ann:pass%40word%3Aof%2Fann@proxy.corp.test:3999'],
    end: {code: 'network-proxy', says: /\bproxy\.corp\.test:3999\b/, saysNot: password},
  },
  {
    ...toProxy,
    name: 'whose name nobody knows',
    env: {HTTPS_PROXY: 'http://proxy.gone.test:3128'},
    end: {code: 'network-proxy', says: /\bproxy\.gone\.test\b/},
  },
  {
    ...toProxy,
    name: 'that never answers, as what is sent to it is dropped',
    names: {records: {'proxy.corp.test': ['10.77.9.9']}},
    env: {HTTPS_PROXY: http},
    end: {code: 'network-proxy', says: /\bproxy\.corp\.test:3128\b/},
  },
  {
    ...toProxy,
    name: 'that is a web server, and answers a page',
    proxy: {kind: 'page'},
    env: {HTTPS_PROXY: http},
    end: {code: 'network-proxy', says: /\bproxy\.corp\.test:3128\b/},
  },
]);
