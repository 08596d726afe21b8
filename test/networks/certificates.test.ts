import {describeSituations} from './support/describe-situations.ts';
import {proxyOnly, proxyUrls} from './support/situation.ts';

/** Any of the three services may be called first. */
const platform = String.raw`https:\/\/(api|idp|observer)\.acme\.test\b`;
const says = (what: string) => new RegExp(`(?=.*${platform})(?=.*${what})`);

describeSituations('a private authority', [
  {
    name: 'that is not trusted',
    trust: 'none',
    end: {code: 'network-tls', says: says('an authority that this machine doesn’t know')},
  },
  {name: 'trusted by --ca-file', trust: '--ca-file', end: 'connected'},
  {name: 'trusted by NODE_EXTRA_CA_CERTS', trust: 'NODE_EXTRA_CA_CERTS', end: 'connected'},
  {name: 'trusted by SSL_CERT_FILE', trust: 'SSL_CERT_FILE', end: 'connected'},
  {name: 'in the system’s store', trust: 'system', end: 'connected'},
  {
    name: 'whose file is not there',
    trust: 'none',
    flags: ['--ca-file', '/nowhere/authority.crt'],
    end: {code: 'input-invalid', exit: 2, says: /\/nowhere\/authority\.crt/},
  },
  {
    name: 'in whose file there is no certificate',
    trust: 'none',
    flags: ['--ca-file', '/etc/hosts'],
    end: {code: 'input-invalid', exit: 2, says: /\/etc\/hosts/},
  },
]);

describeSituations('a certificate', [
  {
    name: 'that has expired',
    platform: {certificate: 'expired'},
    end: {code: 'network-tls', says: says('expired')},
  },
  {
    name: 'for another name',
    platform: {certificate: 'other-name'},
    end: {code: 'network-tls', says: says('for another name')},
  },
  {
    name: 'with a weak signature',
    platform: {certificate: 'weak'},
    end: {code: 'network-tls', says: says('weak|MD_TOO_WEAK')},
  },
  {
    name: 'of an impostor, where NODE_TLS_REJECT_UNAUTHORIZED is 0',
    platform: {certificate: 'impostor'},
    env: {NODE_TLS_REJECT_UNAUTHORIZED: '0'},
    hearsNothing: true,
    end: {code: 'network-tls', says: says('an authority that this machine doesn’t know')},
  },
]);

describeSituations('a platform that demands a certificate of clients', [
  {
    name: 'gets it',
    platform: {wantsCertificate: 'alert'},
    clientCertificate: 'client',
    end: 'connected',
  },
  {
    name: 'gets none',
    platform: {wantsCertificate: 'alert'},
    end: {code: 'network-client-certificate', says: says('certificate')},
  },
  {
    name: 'gets another’s',
    platform: {wantsCertificate: 'alert'},
    clientCertificate: 'stranger-client',
    end: {code: 'network-client-certificate', says: says('certificate')},
  },
  {
    name: 'by a page of nginx’s gets it',
    platform: {wantsCertificate: 'page'},
    clientCertificate: 'client',
    end: 'connected',
  },
  {
    name: 'by a page of nginx’s gets none',
    platform: {wantsCertificate: 'page'},
    end: {code: 'network-client-certificate', says: says('certificate')},
  },
]);

describeSituations('mitmproxy, which reads what goes through', [
  {
    name: 'in the way, by an authority that is trusted by --ca-file',
    proxy: {kind: 'mitmproxy', mode: 'transparent'},
    trust: 'interceptor',
    end: 'connected',
  },
  {
    name: 'in the way, by an authority that is not trusted',
    platform: {},
    proxy: {kind: 'mitmproxy', mode: 'transparent'},
    hearsNothing: true,
    end: {code: 'network-tls', says: says('an authority that this machine doesn’t know')},
  },
  {
    name: 'as the proxy, by an authority that is trusted by --ca-file',
    proxy: {kind: 'mitmproxy', mode: 'regular'},
    firewall: proxyOnly,
    trust: 'interceptor',
    flags: ['--proxy', proxyUrls.http],
    end: 'connected',
  },
  {
    name: 'as the proxy, by an authority that is not trusted',
    proxy: {kind: 'mitmproxy', mode: 'regular'},
    firewall: proxyOnly,
    hearsNothing: true,
    flags: ['--proxy', proxyUrls.http],
    end: {code: 'network-tls', says: says('an authority that this machine doesn’t know')},
  },
]);
