import type {IncomingMessage} from 'node:http';

/** Whether the client asks for the newer flavour of the API, which has its own paths and bodies. */
export const usesOpenApi = (request: IncomingMessage) => request.headers['x-use-openapi'] === 'true';
