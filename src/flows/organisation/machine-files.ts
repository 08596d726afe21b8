import type {Assistant} from '../../assistants/assistant.ts';
import {type HandedOut, type Handling, jsonText, type ManagedFile, type OwnRegistry} from '../../assistants/managed.ts';
import {managedBy} from '../../assistants/managed-files.ts';
import {type Registered, registryFiles} from '../../assistants/mcp-registry.ts';
import type {System} from '../../assistants/place.ts';
import {addressIn, type McpEntry, type McpServer} from '../../domain/mcp-servers.ts';
import {Secret} from '../../domain/secret.ts';
import type {ToolLimit} from '../../domain/tool-sets.ts';
import {entryFor, nameFor, toolFlags} from '../assistants/assistant-entry.ts';
import {anyMachine, type KitFile, machineWideCommand, prefixOn} from './platform-files.ts';

type About = {
  readonly assistants: readonly Assistant[];
  readonly entries: readonly McpEntry[];
  /** The name of people's contexts, as this program chooses it by itself. */
  readonly context: string;
  readonly baseDomain: string;
  readonly tools?: ToolLimit;
  /** Hosts that may be called without TLS, in the form of the flag. */
  readonly allowHttp?: string;
  /** The registry of the organisation, if it has named one. */
  readonly registry?: OwnRegistry;
  readonly system: System;
};

/** The names of the systems in the kit's directories. */
const names = {linux: 'linux', darwin: 'macos', win32: 'windows'} as const;

/** Returns the directory of the files for machines of a system, for one handling. */
export const machinesOf = (handling: Handling, system: System): string => `machines/${handling}/${names[system]}`;

/**
 * Returns the policies and entries of assistants for every machine of a system, each below the directory of its
 * handling and system.
 */
export const machineFiles = ({
  assistants,
  entries,
  tools,
  system,
  allowHttp,
  registry,
  ...about
}: About): readonly KitFile[] => {
  const place = anyMachine(system);
  const own = {...machineWideCommand(system), ...(allowHttp === undefined ? {} : {allowHttp})};
  const means = {place, own, tokens: {signIn: new Secret('')}, ...about};
  return assistants.flatMap(assistant => {
    const managed = managedBy(assistant.id);
    if (!managed) return [];
    const target = {assistant, scope: 'user', method: managed.method, ...(tools ? {tools} : {})} as const;
    const servers = entries.flatMap((entry): readonly HandedOut[] => {
      const value = entryFor(target, entry, means);
      const connection = assistant.entry.read(value);
      const [url, narrowed] = [entry.url, addressIn(entry, tools)];
      const name = nameFor(entry.label, assistant.names);
      return connection ? [{name, url, entry: value, connection, ...(narrowed === url ? {} : {narrowed})}] : [];
    });
    return managed
      .files(place, servers, registry)
      .flatMap(file => file.handling.map(handling => kitFileOf(file, handling, system)));
  });
};

const kitFileOf = (
  {path, text, does, evidence, seenWith}: ManagedFile,
  handling: Handling,
  system: System,
): KitFile => ({
  path: `${machinesOf(handling, system)}/${rooted(path)}`,
  text,
  does,
  checked: checkedBy(evidence, seenWith),
});

const checkedBy = (evidence: ManagedFile['evidence'], seenWith: string | undefined): string => {
  if (evidence === 'run')
    return `Tried with version ${seenWith}: these servers work, and a server that is not listed is refused.`;
  return seenWith === undefined
    ? 'Taken from the vendor’s documentation; not tried on this system.'
    : `The policies took effect in ${seenWith}. According to the vendor’s documentation, this file is read; that was not tried.`;
};

/** Turns an absolute path of a machine into one below a directory. */
const rooted = (path: string): string =>
  path
    .replace(/^[A-Z]:/i, '')
    .replaceAll('\\', '/')
    .replace(/^\/+/, '');

/** The line of Node.js whose newest release is installed beside the program. */
const NODE_LINE = '24';

/** The files of each handling, with paths below the root of a Linux machine. */
type FilesByHandling = Readonly<Record<Handling, readonly string[]>>;

/**
 * Returns a playbook that installs the program and the kit's files on Linux machines. It contains only a version and
 * paths that this program knows, and no text from a server, because Ansible would evaluate text that looks like one of
 * its expressions.
 */
export const ansibleFiles = (version: string, files: FilesByHandling): readonly KitFile[] => {
  const prefix = prefixOn('linux');
  const modules = `${prefix}/lib/node_modules`;
  return [
    {
      path: 'ansible/playbook.yml',
      text: `# Puts platform-setup on Linux machines, with the files that tell assistants which MCP servers to use.
#
#   ansible-playbook -i INVENTORY playbook.yml
#
# The machines need npm. No install script of a package is run.
- name: Connect assistants to the platform
  hosts: all
  become: true
  vars:
    platform_setup_version: "${version}"
    # Your own npm registry, if the machines cannot reach the public one.
    platform_setup_registry: ""
    # "servers" puts the entries on every machine. "allow-list" lets people connect the servers themselves.
    # "" installs only the program.
    platform_setup_handling: servers
    node_architectures: {x86_64: x64, aarch64: arm64}
    # The files that only one of the two has.
    files_of_servers: ${JSON.stringify(onlyIn(files, 'servers', 'allow-list'))}
    files_of_allow_list: ${JSON.stringify(onlyIn(files, 'allow-list', 'servers'))}
    files_of_both: ${JSON.stringify(files.servers.filter(path => files['allow-list'].includes(path)))}
  tasks:
    - name: Look for the version that is installed
      ansible.builtin.slurp:
        src: ${modules}/platform-setup/package.json
      register: installed
      failed_when: false
      changed_when: false

    - name: Install the program and its own Node.js
      ansible.builtin.command:
        argv: "{{ install + registry }}"
      vars:
        install:
          - npm
          - install
          - --global
          - --ignore-scripts
          - --no-audit
          - --no-fund
          - --prefix
          - ${prefix}
          - platform-setup@{{ platform_setup_version }}
          - node-linux-{{ node_architectures[ansible_facts.architecture] }}@${NODE_LINE}
        registry: "{{ ['--registry', platform_setup_registry] if platform_setup_registry else [] }}"
      when: >-
        installed.content is not defined or
        (installed.content | b64decode | from_json).version != platform_setup_version

    - name: Put the program on PATH
      ansible.builtin.copy:
        dest: /usr/local/bin/platform-setup
        mode: "0755"
        content: |
          #!/bin/sh
          exec ${prefix}/bin/node ${modules}/platform-setup/bin/setup.js "$@"

    - name: Look for files of the handling that was not chosen
      ansible.builtin.stat:
        path: /{{ item.1 }}
        checksum_algorithm: sha256
      loop: >-
        {{ (['servers'] | product(files_of_servers if platform_setup_handling != 'servers' else []) | list)
        + (['allow-list'] | product(files_of_allow_list if platform_setup_handling != 'allow-list' else []) | list)
        + (['servers', 'allow-list'] | product(files_of_both if platform_setup_handling == '' else []) | list) }}
      register: found

    - name: Remove those that nobody has changed
      ansible.builtin.file:
        path: /{{ item.item.1 }}
        state: absent
      loop: "{{ found.results }}"
      loop_control:
        label: /{{ item.item.1 }}
      when: >-
        item.stat.exists and item.stat.checksum ==
        lookup('ansible.builtin.file', playbook_dir ~ '/../machines/' ~ item.item.0 ~ '/linux/' ~ item.item.1,
        rstrip=False) | hash('sha256')

    - name: Install the policies and entries of assistants
      ansible.builtin.copy:
        src: ../machines/{{ platform_setup_handling }}/linux/
        dest: /
        backup: true
        owner: root
        group: root
        mode: "0644"
        directory_mode: "0755"
      when: platform_setup_handling != ''
`,
      does: 'Installs the program and the Linux files of machines/ with Ansible.',
      checked: 'Run twice with ansible-core 2.14 on Debian 12. The second run changed nothing.',
    },
  ];
};

const onlyIn = (files: FilesByHandling, one: Handling, other: Handling): readonly string[] =>
  files[one].filter(path => !files[other].includes(path));

type ContainerInput = {
  readonly version: string;
  readonly baseDomain: string;
  /** The URL to which the browser returns after a person's sign-in. */
  readonly redirectUri: string;
  /** The files for a Linux machine, with paths below its root. */
  readonly files: readonly Pick<KitFile, 'path' | 'text'>[];
};

/** The user of the image, and the directory that keeps the sign-in when the container is rebuilt. */
const USER = 'node';
const KEPT = `/home/${USER}/.config/platform-setup`;

/** Returns a dev container with the program and the files of every Linux machine. It needs no other part of the kit. */
export const devContainerFiles = ({version, baseDomain, redirectUri, files}: ContainerInput): readonly KitFile[] => {
  const checked =
    'Built and started with the Dev Containers CLI 0.89 and Docker 20.10, based on Debian 12. The program runs, entries start, and a sign-in survives a rebuild.';
  const prefix = prefixOn('linux');
  const port = Number(new URL(redirectUri).port || 80);
  return [
    {
      path: 'dev-container/devcontainer.json',
      text: jsonText({
        name: `Development on ${baseDomain}`,
        build: {dockerfile: 'Dockerfile'},
        remoteUser: USER,
        mounts: [{source: 'platform-setup', target: KEPT, type: 'volume'}],
        forwardPorts: [port],
        portsAttributes: {[port]: {label: 'Sign-in', onAutoForward: 'silent', requireLocalPort: true}},
      }),
      does: 'Configures a dev container in which assistants can use the platform. Copy the directory into a repository as .devcontainer.',
      checked,
    },
    {
      path: 'dev-container/Dockerfile',
      text: `# Any image works that has Node.js 22.19 or newer, npm and a user called ${USER}.
ARG BASE=node:24-bookworm
FROM \${BASE}

# Your own npm registry, if the build cannot reach the public one.
ARG REGISTRY
RUN npm install --global --ignore-scripts --no-audit --no-fund --prefix ${prefix} \\
      \${REGISTRY:+--registry="\${REGISTRY}"} platform-setup@${version} \\
 && ln -s "$(command -v node)" ${prefix}/bin/node \\
 && ln -s ${prefix}/bin/platform-setup /usr/local/bin/platform-setup \\
 && install -d -o ${USER} -g ${USER} -m 0700 /home/${USER}/.config ${KEPT}

COPY files/ /
`,
      does: 'Builds the image of that dev container, with the files next to it.',
      checked,
    },
    ...files.map(({path, text}) => ({path: `dev-container/files/${path}`, text})),
  ];
};

type RegistryInput = {
  readonly baseDomain: string;
  readonly entries: readonly McpEntry[];
  readonly tools?: ToolLimit;
  /** The name of people's contexts. */
  readonly context: string;
  /** The version of this program. */
  readonly version: string;
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
};

const titles: Readonly<Record<McpServer, string>> = {'control-plane': 'Control plane', observability: 'Observability'};

const descriptions: Readonly<Record<McpServer, string>> = {
  'control-plane': 'Projects, components, environments and deployments of the platform.',
  observability: 'Logs, metrics, traces and alerts of the platform.',
};

/** Returns the beginning of the names in an organisation's registry: its domain backwards. */
export const namespaceOf = (baseDomain: string): string => baseDomain.split('.').toReversed().join('.');

/** Returns a registry of the two MCP servers as files, for clients that look servers up in a registry. */
export const registryDocuments = ({
  baseDomain,
  entries,
  tools,
  context,
  version,
  now,
}: RegistryInput): readonly KitFile[] => {
  const servers = entries.map((entry): Registered => {
    const {server, label} = entry;
    return {
      name: label,
      title: `${titles[server]} of ${baseDomain}`.slice(0, 100),
      description: descriptions[server],
      url: addressIn(entry, tools),
      args: ['mcp', 'serve', server, '--context', context, '--base-domain', baseDomain, ...toolFlags(entry, tools)],
    };
  });
  const files = registryFiles(servers, {
    package: {name: 'platform-setup', version},
    namespace: namespaceOf(baseDomain),
    // The day alone, so that kits of one day are the same.
    at: `${new Date(now).toISOString().slice(0, 10)}T00:00:00Z`,
  });
  const about: Pick<KitFile, 'does' | 'checked'> = {
    does: 'Lists the servers in an MCP registry. The answers to its API are below `v0.1/`, and `servers/` holds a file for each server in the format `server.json`. Each server can also be looked up by the name of its entry.',
    checked:
      'Tried with code-server 4.139: it started the listed server and no other. Each file of a server conforms to the schema of 2025-12-11.',
  };
  return files.map(({path, text}, index) => ({path: `registry/${path}`, text, ...(index === 0 ? about : {})}));
};
