import {NETWORK, orByFlag, row} from './error-row.ts';

/** Failures between this machine and an address; see `error-table.ts`. */
export const networkRows = {
  'network-name-not-found': row(NETWORK, 'you', 'Check the spelling of the address, your DNS and your VPN.'),
  'network-refused': row(
    NETWORK,
    'you',
    'Check that the platform is running and that the port is right. If you don’t run it yourself, ask your platform team to check it.',
  ),
  'network-timeout': row(
    NETWORK,
    'you',
    'Check your connection, VPN and proxy, then try again. If others have the same problem, tell the platform’s operators.',
  ),
  'network-reset': row(
    NETWORK,
    'you',
    'Try again. If it keeps failing, check the port, and whether it speaks http or https. If both are right, tell its operators.',
  ),
  'network-wrong-scheme': row(
    NETWORK,
    'you',
    'Try the address with the other scheme: http instead of https, or the reverse.',
  ),
  'network-tls': row(
    NETWORK,
    'you',
    orByFlag(
      'Trust the certificate authority that signed it, or ask its operators to fix the server’s certificate.',
      'To trust it, pass --ca-file /path/to/ca.pem.',
    ),
  ),
  'network-client-certificate': row(
    NETWORK,
    'you',
    orByFlag(
      'Get a client certificate from the platform’s operators.',
      'Pass it with --client-cert FILE --client-key FILE.',
    ),
  ),
  'network-proxy': row(
    NETWORK,
    'you',
    orByFlag(
      'Check the proxy’s address and that it runs, or go another way.',
      'Pass --proxy URL for another proxy, or --proxy none for no proxy.',
    ),
  ),
  'network-proxy-sign-in': row(
    NETWORK,
    'you',
    orByFlag('Sign in to the proxy.', 'Pass --proxy http://USER:PASSWORD@HOST:PORT.'),
  ),
  'network-proxy-denied': row(
    NETWORK,
    'you',
    orByFlag(
      'Ask whoever runs the proxy to let this address through, or bypass it.',
      'To bypass it, pass --proxy none.',
    ),
  ),
  'network-portal': row(
    NETWORK,
    'you',
    'Open the address in a browser, without its path. If your network asks you to sign in or blocks the page, sort that out first. Otherwise, tell the platform’s operators.',
  ),
  'network-lost': row(NETWORK, 'you', 'Check what the call did before you repeat it: it may have gone through.'),
  'network-bad-port': row(
    NETWORK,
    'you',
    'Check the port in the address. If it is right, ask the platform’s operators to serve it on another one.',
  ),
  'network-insecure': row(
    NETWORK,
    'you',
    orByFlag('Use https, or allow plain http for this host.', 'To allow it, pass --allow-http HOST.'),
  ),
  'network-redirected': row(NETWORK, 'you', 'Use the address that it redirects to, if you trust it.'),
  'network-failed': row(NETWORK, 'you', 'Check the address and your connection, then try again.'),
} as const;
