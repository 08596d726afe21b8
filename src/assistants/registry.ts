import {jsonText} from './managed.ts';

/** A server of a registry. */
export type Registered = {
  /** The name by which this program enters it in an assistant. */
  readonly name: string;
  /** What people read: at most 100 characters. */
  readonly title: string;
  readonly description: string;
  readonly url: string;
  /** What this program is started with to be the bridge to it. */
  readonly args: readonly string[];
};

type Registry = {
  /** The package of this program, and its version. */
  readonly package: {readonly name: string; readonly version: string};
  /** The organisation's domain backwards, as the names of the registry begin: `com.acme`. */
  readonly namespace: string;
  /** When it was made (RFC 3339). */
  readonly at: string;
};

export type RegistryFile = {
  /** Below the root of the registry, with slashes. */
  readonly path: string;
  readonly text: string;
};

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/**
 * A registry of MCP servers as files, for any web server that answers `GET <path>` with `<path>/index.json`: those below
 * `v0.1/` are the registry's API, those below `servers/` the documents to publish elsewhere.
 *
 * Clients look an installed server up by the name under which it stands in their file. Names of a registry have a slash, and
 * no entry of this program's has one: so each server is found under both, and listed once.
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

/** What is started is the bridge; an assistant that signs in by itself may connect to the address as well. */
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
