import {toSetupError} from '../../errors/errors.ts';
import type {Anchor, Ports} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';

/** The signer of a server's certificate, which nothing on this machine trusts. */
export type Untrusted = {
  readonly origin: string;
  readonly anchor: Anchor;
  /**
   * Whether the server sends the chain up to the signer; otherwise trust would begin at the server's own certificate.
   */
  readonly isWhole: boolean;
  /** The product that intercepts and reads the connection, if its name is known. */
  readonly interceptor?: string;
};

/**
 * Names of the authorities of inspecting proxies and virus scanners, the product, and a pattern that the name has to
 * match as well.
 */
const interceptors: readonly (readonly [RegExp, string, RegExp?])[] = [
  [/zscaler/i, 'Zscaler'],
  [/netskope|goskope/i, 'Netskope'],
  [/palo ?alto|prisma access|globalprotect/i, 'Palo Alto Networks'],
  [/forti(gate|net)/i, 'FortiGate'],
  [/check ?point/i, 'Check Point'],
  [/cisco (umbrella|secure)|opendns/i, 'Cisco Umbrella'],
  [/blue ?coat|proxysg|symantec web/i, 'Symantec ProxySG'],
  [/mcafee|skyhigh/i, 'Skyhigh Secure Web Gateway'],
  [/forcepoint|websense/i, 'Forcepoint'],
  [/barracuda/i, 'Barracuda'],
  [/sophos/i, 'Sophos'],
  [/iboss/i, 'iboss'],
  [/cloudflare/i, 'Cloudflare Gateway', /gateway|zero trust/i],
  [/kaspersky/i, 'Kaspersky'],
  [/\beset\b/i, 'ESET'],
  [/avast|\bavg\b/i, 'Avast'],
  [/bitdefender/i, 'Bitdefender'],
  [/mitmproxy/i, 'mitmproxy'],
  [/charles proxy/i, 'Charles'],
  [/fiddler|do_not_trust/i, 'Fiddler'],
  [/burp|portswigger/i, 'Burp'],
];

/** Looks up the signer if an error says that nothing here trusts it; undefined for any other error. */
export const whoSigned = async (error: unknown, ports: Ports, signal: AbortSignal): Promise<Untrusted | undefined> => {
  const origin = toSetupError(error).about.untrusted;
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  const certificate = await ports.network.certificate(new URL(origin), signal).catch(() => undefined);
  if (!certificate || certificate.anchor.pem === '') return undefined;
  const {subject, issuer, ...anchor} = certificate.anchor;
  const names = [subject, issuer].map(cleanText);
  const interceptor = interceptors.find(([pattern, , also]) =>
    names.some(name => pattern.test(name) && (also === undefined || also.test(name))),
  )?.[1];
  const shown = {...anchor, subject: names[0] ?? '', issuer: names[1] ?? ''};
  return {origin, anchor: shown, isWhole: subject === issuer, ...(interceptor === undefined ? {} : {interceptor})};
};

/** Returns the facts that a person needs to decide whether to trust the signer, one for each line. */
export const untrustedLines = ({
  anchor: {subject, issuer, validTo, fingerprint},
  isWhole,
}: Untrusted): readonly string[] => [
  isWhole
    ? `Certificate authority: ${subject || 'unnamed'}`
    : `Signed by ${issuer || 'an unnamed authority'}, whose certificate the server does not send.\nThis is the certificate of ${subject || 'the server'} itself:`,
  `SHA-256 fingerprint ${fingerprint}`,
  `Valid until ${new Date(validTo).toISOString().slice(0, 10)}`,
];
