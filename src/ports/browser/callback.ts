/** A page for the browser: plain words, escaped by whoever shows it. */
export type CallbackPage = {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** What to do next. */
  readonly next: string;
  readonly mood: 'good' | 'bad';
};

export type CallbackListener = {close(): Promise<void>};

/** The one address on this machine to which the identity provider sends the browser back (RFC 8252 7.3). */
export type Callback = {
  /**
   * Listens on the redirect URI's own host and port. `answer` is called for requests to its exact path, method and
   * host, and says what the browser shows; everything else is answered without it.
   *
   * @throws SetupError `local-port-taken` naming the holder where the system tells it
   */
  listen(redirectUri: URL, answer: (query: URLSearchParams) => Promise<CallbackPage>): Promise<CallbackListener>;
  /** Asks another run of this program to let go of the port, until that is taken back. Never rejects. */
  ask(redirectUri: URL): Promise<{takeBack(): Promise<void>}>;
  /** Whether another run of this program asks for the port. Never rejects. */
  isAsked(redirectUri: URL): Promise<boolean>;
};
