/** How an entry reaches its server, whatever the dialect that it is written in. */
export type Connection =
  | {readonly kind: 'header'; readonly url: string; readonly headers: Readonly<Record<string, string>>}
  /** `helper` is a command line for a shell; it prints the headers as a JSON object. */
  | {readonly kind: 'helper'; readonly url: string; readonly helper: string}
  /** The client signs its person in by itself, with this client ID. */
  | {readonly kind: 'oauth'; readonly url: string; readonly clientId: string}
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

/** The bearer token that an entry sends (RFC 6750 2.1); empty where it sends none. */
export const bearerIn = (connection: Connection | undefined): string =>
  connection?.kind === 'header' ? (connection.headers.Authorization ?? '').replace(/^Bearer /i, '') : '';
