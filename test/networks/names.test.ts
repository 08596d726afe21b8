import {describeSituations} from './support/describe-situations.ts';
import {addresses} from './support/namespaces.ts';

const {platform, platform6, nowhere, nowhere6, router} = addresses;
const all = (...own: readonly string[]) => ({'api.acme.test': own, 'idp.acme.test': own, 'observer.acme.test': own});
const anyOfThem = String.raw`\b(api|idp|observer)\.acme\.test\b`;

describeSituations('names', [
  {name: 'whose first nameserver is dead', names: {nameservers: [nowhere, router]}, end: 'connected'},
  {
    name: 'whose only nameserver is dead',
    names: {nameservers: [nowhere]},
    end: {code: 'network-name-not-found', says: new RegExp(`${anyOfThem} could not be resolved`)},
  },
  {
    name: 'that nobody knows',
    names: {records: all()},
    end: {code: 'network-name-not-found', says: new RegExp(`${anyOfThem} could not be resolved`)},
  },
  {
    name: 'of which only some are known outside (split DNS)',
    names: {records: {'idp.acme.test': []}},
    end: {code: 'network-name-not-found', says: /idp\.acme\.test could not be resolved/},
  },
  {
    name: 'of which some lead elsewhere outside (split DNS)',
    names: {records: {'idp.acme.test': [nowhere]}},
    end: {code: 'network-timeout', says: /https:\/\/idp\.acme\.test\b/},
  },
  {
    name: 'that a provider answers with an address of its own',
    names: {records: all(), wildcard: platform},
    platform: {certificate: 'other-name', manner: {name: 'portal', answers: 'page-200'}},
    hearsNothing: true,
    end: {code: 'network-tls', says: new RegExp(`(?=.*${anyOfThem})(?=.*for another name)`)},
  },
]);

describeSituations('addresses', [
  {name: 'of IPv6 only', names: {records: all(platform6)}, end: 'connected'},
  {name: 'of IPv6 that is dead, and of IPv4 that is not', names: {records: all(nowhere6, platform)}, end: 'connected'},
  {name: 'of IPv4 that is dead, and of IPv6 that is not', names: {records: all(nowhere, platform6)}, end: 'connected'},
  {
    name: 'to which everything is dropped',
    firewall: ['ip daddr 10.77.2.2 drop'],
    end: {code: 'network-timeout', says: new RegExp(`https://${anyOfThem}`)},
  },
  {
    name: 'where nothing listens',
    platform: false,
    end: {code: 'network-refused', says: new RegExp(`https://${anyOfThem}`)},
  },
  {
    name: 'to which a firewall lets nobody',
    firewall: ['ip daddr 10.77.2.2 reject with icmp type admin-prohibited'],
    end: {code: 'network-failed', says: new RegExp(`https://${anyOfThem}`)},
  },
  {
    name: 'whose connections are cut in the handshake',
    firewall: ['ip daddr 10.77.2.2 tcp flags & (psh | ack) == (psh | ack) reject with tcp reset'],
    end: {code: 'network-reset', says: new RegExp(`https://${anyOfThem}`)},
  },
]);

describeSituations('a platform', [
  {name: 'that takes 4 s for each answer', platform: {manner: {name: 'slow', ms: 4000}}, end: 'connected'},
  {
    name: 'that speaks no TLS',
    platform: {scheme: 'http'},
    firewall: [],
    flags: ['--control-plane-url', 'https://api.acme.test:80'],
    end: {code: 'network-wrong-scheme', says: /https:\/\/api\.acme\.test:80\b/},
  },
]);
