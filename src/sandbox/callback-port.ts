import {SandboxInputError} from './sandbox-input-error.ts';

/** The port of this machine that a redirect URI leads to (RFC 8252 7.3). Throws SandboxInputError when it leads elsewhere. */
export const callbackPortOf = (redirectUri: string): number => {
  const {protocol, hostname, port} = new URL(redirectUri);
  if (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)) return Number(port || 80);
  throw new SandboxInputError(`${redirectUri} leads to no port of this machine that could be taken.`);
};
