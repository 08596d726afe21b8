import {describeSituations} from './support/describe-situations.ts';
import {proxyOnly, proxyUrls} from './support/situation.ts';

const {http, https, socks, socksByName, withPassword} = proxyUrls;
const toProxy = {firewall: proxyOnly, platform: {}} as const;

describeSituations('a proxy', [
  {
    ...toProxy,
    name: 'that takes 40 s for a tunnel is given up',
    proxy: {kind: 'squid', delay: 40},
    env: {HTTPS_PROXY: http},
    end: {code: 'network-proxy', says: /\bproxy\.corp\.test:3128\b/},
  },
  {
    ...toProxy,
    name: 'that speaks TLS, by a private authority',
    proxy: {kind: 'squid', tls: true},
    flags: ['--proxy', https],
    end: 'connected',
  },
  {
    ...toProxy,
    name: 'that speaks TLS, by an authority that is not trusted',
    proxy: {kind: 'squid', tls: true},
    trust: 'none',
    flags: ['--proxy', https],
    end: {code: 'network-tls', says: /\bproxy\.corp\.test:3128\b/},
  },
]);

describeSituations('SOCKS5', [
  {...toProxy, name: 'without a password', proxy: {kind: 'socks'}, flags: ['--proxy', socks], end: 'connected'},
  {
    ...toProxy,
    name: 'with a password',
    proxy: {kind: 'socks', password: true},
    flags: ['--proxy', withPassword('socks5')],
    end: 'connected',
  },
  {
    ...toProxy,
    name: 'with a wrong password',
    proxy: {kind: 'socks', password: true},
    flags: ['--proxy', 'socks5://ann:not-her-password@proxy.corp.test:3128'],
    end: {code: 'network-proxy-sign-in', says: /\bproxy\.corp\.test:3128\b/, saysNot: /not-her-password/},
  },
  {
    ...toProxy,
    name: 'that wants a password, where none is given',
    proxy: {kind: 'socks', password: true},
    env: {ALL_PROXY: socks},
    end: {code: 'network-proxy-sign-in', says: /\bproxy\.corp\.test:3128\b/},
  },
  {
    ...toProxy,
    name: 'that alone knows the platform’s names (socks5h)',
    proxy: {kind: 'socks'},
    names: {records: {'api.acme.test': [], 'idp.acme.test': [], 'observer.acme.test': []}},
    env: {ALL_PROXY: socksByName},
    end: 'connected',
  },
  {
    ...toProxy,
    name: 'that does not listen',
    env: {ALL_PROXY: 'socks5h://proxy.corp.test:3999'},
    end: {code: 'network-proxy', says: /\bproxy\.corp\.test:3999\b/},
  },
]);
