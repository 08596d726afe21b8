import type {WantedToken} from '../../domain/token-request.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {checkAuthorization} from './authorization-request.ts';
import {oauthClient} from './oauth-client.ts';
import {askedOf} from './token-request.ts';

export type AssistantRedirect = {
  /** The assistant's ID. */
  readonly id: string;
  readonly name: string;
  /** Where it is sent back to, for each server. One on loopback without a port stands for any port (RFC 8252 7.3). */
  readonly redirectUris: readonly string[];
  /** Set where it sends nothing to a token endpoint without TLS, unless that is this machine by its usual names. */
  readonly signsInOverTls?: true;
};

type Input = {
  readonly issuer: string;
  /** A public client. */
  readonly clientId: string;
  readonly wanted: WantedToken;
  readonly assistants: readonly AssistantRedirect[];
};

/**
 * Asks the identity provider whether it would let assistants sign in by themselves, as each of them will ask: with this
 * client, and with where that assistant is sent back to. Nobody is signed in.
 *
 * @returns why it would not, as a sentence, by the IDs of those that it refuses
 * @throws SetupError `network-*`, `platform-*`: what says nothing of the client
 */
export const checkAssistantClients: Flow<Input, Readonly<Record<string, string>>> = (input, run) =>
  stoppable(run, async run => {
    const {issuer, clientId, wanted, assistants} = input;
    const client = await oauthClient({issuer, clientId, authentication: {method: 'none'}}, run);
    const asked = askedOf(wanted, client, 'person');
    // What holds for every sign-in was told at the person's own.
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

/** Some port in the place of any: an identity provider that takes one only as it was registered says so. */
const withPort = (redirectUri: string): string => {
  const url = new URL(redirectUri);
  if (url.protocol !== 'http:' || url.port !== '') return redirectUri;
  url.port = ANY_PORT;
  return url.href;
};

const ANY_PORT = '49152';
