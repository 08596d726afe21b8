import type {Handling} from '../../assistants/managed.ts';
import type {KitFile} from './platform-files.ts';
import {prefixOn} from './platform-files.ts';

/** The line of Node.js whose newest release is installed beside the program. */
const NODE_LINE = '24';

/** The files of each handling, with paths below the root of a Linux machine. */
type FilesByHandling = Readonly<Record<Handling, readonly string[]>>;

/**
 * Returns a playbook that installs the program and the kit's files on Linux machines. It contains only a version and
 * paths of this program, and no text from a server, because Ansible would evaluate text that looks like one of its
 * expressions.
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
