import {describeSituations} from './support/describe-situations.ts';
import {proxyOnly, proxyUrls} from './support/situation.ts';

describeSituations('a proxy', [
  {name: 'no proxy at all', end: 'connected'},
  {
    name: 'that is open is used, by HTTPS_PROXY',
    proxy: {kind: 'squid'},
    firewall: proxyOnly,
    env: {HTTPS_PROXY: proxyUrls.http},
    end: 'connected',
  },
  {
    name: 'that is open is used, by --proxy',
    proxy: {kind: 'squid'},
    firewall: proxyOnly,
    flags: ['--proxy', proxyUrls.http],
    end: 'connected',
  },
]);
