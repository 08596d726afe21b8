import {readFileSync} from 'node:fs';
import {createServer, type ServerOptions} from 'node:https';
import {join} from 'node:path';
import type {Handler} from '../../../support/server.ts';
import {type Listening, listening} from './listening.ts';

export const certificateFile = (name: string): string => join(import.meta.dirname, '../certificates', name);

export const pem = (name: string): string => readFileSync(certificateFile(name), 'utf8');

/** The authority of the `issued` certificates, as settings name it. */
export const authority = {authority: {file: certificateFile('authority.crt')}} as const;

const ok: Handler = (_request, response) => void response.end('OK');

/** Starts an https server with the certificate `issued`, unless the options say otherwise. */
export const serveTls = (options: ServerOptions = {}, handler = ok): Promise<Listening> => {
  const server = createServer({key: pem('server.key'), cert: pem('issued.crt'), ...options}, handler);
  return listening(server.on('tlsClientError', () => {}));
};
