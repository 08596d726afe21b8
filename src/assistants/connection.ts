/** How an entry reaches its server, independent of its dialect. */
export type Connection =
  | {readonly kind: 'header'; readonly url: string; readonly headers: Readonly<Record<string, string>>}
  /** `helper` is a shell command line that prints the headers as a JSON object. */
  | {readonly kind: 'helper'; readonly url: string; readonly helper: string}
  /** The client signs the person in by itself, with this client ID. */
  | {readonly kind: 'oauth'; readonly url: string; readonly clientId: string}
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

/** Returns the bearer token that an entry sends (RFC 6750 2.1); empty if it sends none. */
export const bearerIn = (connection: Connection | undefined): string =>
  connection?.kind === 'header' ? (connection.headers.Authorization ?? '').replace(/^Bearer /i, '') : '';
