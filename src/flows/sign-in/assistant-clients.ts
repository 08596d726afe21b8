import type {WantedToken} from '../../domain/token-request.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {checkAuthorization} from './authorization-request.ts';
import {oauthClient} from './oauth-client.ts';
import {askedOf} from './request-parameters.ts';

export type AssistantRedirect = {
  /** The assistant's ID. */
  readonly id: string;
  readonly name: string;
  /**
   * The assistant's redirect URIs for each server. A loopback URI without a port stands for any port (RFC 8252 7.3).
   */
  readonly redirectUris: readonly string[];
  /**
   * True if the assistant uses a token endpoint only over TLS, unless its host is `localhost`, `127.0.0.1` or `[::1]`.
   */
  readonly signsInOverTls?: true;
};

type Input = {
  readonly issuer: string;
  /** The ID of a public client. */
  readonly clientId: string;
  readonly wanted: WantedToken;
  readonly assistants: readonly AssistantRedirect[];
};

/**
 * Asks the identity provider whether it would let assistants sign in by themselves. Each request is the one that the
 * assistant will make: with this client and the assistant's own redirect URIs. No sign-in is completed.
 *
 * @returns the reason for each refusal, as a sentence, by the ID of the assistant
 * @throws SetupError `network-*`, `platform-*` if the failure says nothing about the client
 */
export const checkAssistantClients: Flow<Input, Readonly<Record<string, string>>> = (input, run) =>
  stoppable(run, async run => {
    const {issuer, clientId, wanted, assistants} = input;
    const client = await oauthClient({issuer, clientId, authentication: {method: 'none'}}, run);
    const asked = askedOf(wanted, client, 'person');
    // The person's own sign-in has already shown the warnings that hold for every sign-in.
    const quiet = {
      ...run,
      tell: (event: Parameters<typeof run.tell>[0]) => event.type !== 'warning' && run.tell(event),
    };
    const {token_endpoint: endpoint = issuer} = client.configuration.serverMetadata();
    const refusalOf = async ({name, redirectUris, signsInOverTls}: AssistantRedirect): Promise<string | undefined> => {
      if (signsInOverTls && !isSafe(new URL(endpoint)))
        return `${name} signs in over TLS only, and ${endpoint} has none.`;
      try {
        for (const redirectUri of redirectUris.map(withPort)) {
          await checkAuthorization(client, {issuer, clientId, redirectUri, asked, assumesPkce: true}, quiet);
        }
        return undefined;
      } catch (error) {
        if (!(error instanceof SetupError) || !error.code.startsWith('auth-')) throw error;
        return error.message;
      }
    };
    const refused: Record<string, string> = {};
    for (const assistant of assistants) {
      const refusal = await refusalOf(assistant);
      if (refusal !== undefined) refused[assistant.id] = refusal;
      run.tell({type: 'oauth-client-checked', assistant: assistant.name, taken: refusal === undefined});
    }
    return refused;
  });

const isSafe = ({protocol, hostname}: URL): boolean =>
  protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/**
 * Adds an arbitrary port to an http URI without one. An identity provider that accepts only the registered port then
 * refuses the request.
 */
const withPort = (redirectUri: string): string => {
  const url = new URL(redirectUri);
  if (url.protocol !== 'http:' || url.port !== '') return redirectUri;
  url.port = ANY_PORT;
  return url.href;
};

const ANY_PORT = '49152';
