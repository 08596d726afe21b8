import {jsonText} from './managed.ts';

/** A server of a registry. */
export type Registered = {
  /** The name of the entry that this program writes into an assistant. */
  readonly name: string;
  /** The name for people: at most 100 characters. */
  readonly title: string;
  readonly description: string;
  readonly url: string;
  /** The arguments with which this program becomes the bridge to the server. */
  readonly args: readonly string[];
};

type Registry = {
  /** The name and version of this program's package. */
  readonly package: {readonly name: string; readonly version: string};
  /** The organisation's domain in reverse, the prefix of the registry's names: `com.acme`. */
  readonly namespace: string;
  /** When the registry was made (RFC 3339). */
  readonly at: string;
};

export type RegistryFile = {
  /** Relative to the root of the registry, with slashes. */
  readonly path: string;
  readonly text: string;
};

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/**
 * Returns a registry of MCP servers as files, for any web server that answers `GET <path>` with `<path>/index.json`.
 * The files below `v0.1/` are the registry's API, those below `servers/` are documents to publish elsewhere.
 *
 * Clients look up an installed server by its name in their file. Names of a registry contain a slash, but the names of
 * this program's entries do not. So each server can be found under both names, and is listed once.
 */
export const registryFiles = (servers: readonly Registered[], registry: Registry): readonly RegistryFile[] => {
  const {version} = registry.package;
  const answers = servers.map(server => answerOf(server, `${registry.namespace}/${server.name}`, registry));
  const found = servers.flatMap((server, index) => [
    {name: `${registry.namespace}/${server.name}`, answer: answers[index]},
    {name: server.name, answer: answerOf(server, server.name, registry)},
  ]);
  return [
    {path: 'v0.1/servers/index.json', text: jsonText({servers: answers, metadata: {count: answers.length}})},
    ...found.flatMap(({name, answer}) => [
      ...['latest', version].map(one => ({
        path: `v0.1/servers/${name}/versions/${one}/index.json`,
        text: jsonText(answer),
      })),
      {
        path: `v0.1/servers/${name}/versions/index.json`,
        text: jsonText({servers: [answer], metadata: {count: 1}}),
      },
    ]),
    ...servers.map(({name}, index) => ({path: `servers/${name}.json`, text: jsonText(answers[index]?.server)})),
  ];
};

const answerOf = (server: Registered, name: string, registry: Registry) => ({
  server: documentOf(server, name, registry),
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      status: 'active',
      publishedAt: registry.at,
      updatedAt: registry.at,
      isLatest: true,
    },
  },
});

/**
 * Returns the registry's document of a server. Its package starts the bridge; an assistant that signs in by itself may
 * also connect to the address.
 */
const documentOf = (
  {title, description, url, args}: Registered,
  name: string,
  {package: {name: identifier, version}}: Registry,
) => ({
  $schema: SCHEMA,
  name,
  title,
  description,
  version,
  packages: [
    {
      registryType: 'npm',
      identifier,
      version,
      runtimeHint: 'npx',
      transport: {type: 'stdio'},
      packageArguments: args.map(value => ({type: 'positional', value})),
    },
  ],
  remotes: [{type: 'streamable-http', url}],
});
