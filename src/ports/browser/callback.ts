/** A page for the browser. Its texts are plain text; the renderer escapes them. */
export type CallbackPage = {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** The person's next step. */
  readonly next: string;
  readonly mood: 'good' | 'bad';
};

export type CallbackListener = {close(): Promise<void>};

/** The one address on this machine to which the identity provider sends the browser back (RFC 8252 7.3). */
export type Callback = {
  /**
   * Listens on the redirect URI's own host and port. `answer` is called only for GET requests to the exact host and
   * path of that URI, and returns the page that the browser shows. All other requests are answered without it.
   *
   * @throws SetupError `local-port-taken`, which names the holder of the port if the system reveals it;
   *   `local-callback-failed` if it cannot listen there for another reason
   */
  listen(redirectUri: URL, answer: (query: URLSearchParams) => Promise<CallbackPage>): Promise<CallbackListener>;
  /**
   * Asks another run of this program to release the port. The request ends when it is taken back, or by itself after a
   * few seconds. Never rejects.
   */
  ask(redirectUri: URL): Promise<{takeBack(): Promise<void>}>;
  /** Whether another run of this program asks for the port. Never rejects. */
  isAsked(redirectUri: URL): Promise<boolean>;
};
