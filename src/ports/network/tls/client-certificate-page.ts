import {SetupError} from '../../../errors/errors.ts';
import {showUrl} from '../curl.ts';

/**
 * nginx, and what is made of it (Kong, the ingress of Kubernetes), lets everybody through TLS and answers with a page when
 * there was no client certificate, or one that it does not accept (`ngx_http_special_response.c`).
 *
 * @throws SetupError `network-client-certificate`
 */
export const checkCertificatePage = (status: number, body: Buffer, url: URL): void => {
  if (status !== 400) return;
  const said = /No required SSL certificate was sent|The SSL certificate error/.exec(body.toString('latin1'))?.[0];
  if (said === undefined) return;
  const got = said.startsWith('No') ? 'none' : 'none that it accepts';
  const message = `${url.origin} requires a client certificate, and got ${got} (400 ${said}).`;
  throw new SetupError('network-client-certificate', message, {about: {url: showUrl(url)}});
};
