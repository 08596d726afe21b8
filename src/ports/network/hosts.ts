/**
 * The servers that this program may call, in the order in which it calls them: what it sends there, who names the
 * address, and the modules below `src/` that make the calls. A test checks that no other module makes one.
 */
export const hosts: readonly {
  readonly host: string;
  /** The source of the address. */
  readonly by: string;
  readonly sent: string;
  readonly callers: readonly string[];
}[] = [
  {
    host: 'the base domain, or the address of `--platform`',
    by: 'you; the file is at `/.well-known/platform-setup.json`, or at that address',
    sent: 'one request for its company file, without a credential; the program follows no redirect',
    callers: ['flows/deployment/find-company-file.ts'],
  },
  {
    host: 'the control plane and the observer',
    by: 'you, a company file, the cluster, or the usual names below the base domain and on this machine',
    sent: 'requests for health, version and metadata, without a credential. With the access token for that server, in the `Authorization` header: the calls that an assistant makes, the calls that you make with `mcp call`, and the program’s own calls, which ask what the account may do, which tools there are, and which projects and components the account sees. If you grant the assistants’ account a role with your sign-in: the role and its binding, and later the request to delete them',
    callers: [
      'bridge/access.ts',
      'flows/deployment/cli-client.ts',
      'flows/deployment/examine-platform.ts',
      'flows/deployment/write-company-file.ts',
      'flows/diagnosis/check.ts',
      'flows/metadata.ts',
      'flows/own-cli/compose-cli.ts',
      'flows/platform-tools/account-roles.ts',
      'flows/platform-tools/grant-role.ts',
      'flows/platform-tools/components.ts',
      'flows/platform-tools/list-tools.ts',
      'flows/platform-tools/mcp-failure-cause.ts',
      'flows/platform-tools/refused-token.ts',
      'flows/release-by-paths.ts',
      'flows/sign-in/server-token.ts',
    ],
  },
  {
    host: 'the identity provider',
    by: 'you, or the control plane, which names the issuer that it trusts; its metadata name its endpoints',
    sent: 'the authorization request, the code and its verifier, refresh tokens, client secrets, tokens to revoke; the access token to its UserInfo endpoint, if the tokens do not name the person. Each request sends a secret by one method, never in an address. To create an MCP client: the administrator’s username and password, again if the provider asks in a second step; then the administrator’s token, with the ID and the secret of the new client',
    callers: [
      'flows/sign-in/authorization-request.ts',
      'flows/sign-in/create-client.ts',
      'flows/sign-in/oauth-client.ts',
      'flows/sign-in/person-name.ts',
      'flows/sign-in/register-client.ts',
      'flows/sign-in/revoke.ts',
    ],
  },
  {
    host: 'the control plane, the observer and the identity provider, to check whether each runs',
    by: 'the same sources',
    sent: 'a connection, a TLS handshake, `/health`; no credential',
    callers: [
      'flows/deployment/probe.ts',
      'flows/deployment/untrusted.ts',
      'flows/diagnosis/checks/network-checks.ts',
      'flows/platform-tools/check-connection.ts',
    ],
  },
  {
    host: 'the proxy, if you use one',
    by: 'you, or the environment',
    sent: 'the host and port of each call (for plain http, the call itself), and the proxy’s own username and password',
    callers: ['ports/network/tunnels.ts'],
  },
  {
    host: 'the name servers of this machine',
    by: 'the system',
    sent: 'the names of these hosts, but no name below `localhost`',
    callers: ['flows/foreign-address.ts', 'ports/network/connect.ts'],
  },
  {
    host: 'the npm registry, through npm',
    by: 'your own npm configuration',
    sent: 'the requests of npm when `setup upgrade` looks for the newest version and fetches it, and when the launcher fetches a newer Node in place of an old one, once you agree. Nothing about a deployment',
    callers: ['flows/upgrade.ts'],
  },
  {
    host: 'the cluster, through `kubectl` and `helm`',
    by: 'the current kube context',
    sent: 'requests for releases, routes and the gateway’s certificate. If you grant the assistants’ account a role with `kubectl`: the question whether you may, the role and its binding, and later the request to delete them',
    callers: ['flows/deployment/cluster.ts'],
  },
];
