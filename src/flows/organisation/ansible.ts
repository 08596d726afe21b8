import type {KitFile} from './kit-file.ts';
import {prefixOn} from './machine-wide.ts';

/** The line of Node.js whose newest release is put beside the program. */
export const NODE_LINE = '24';

/**
 * A playbook that puts the program and the files for them on Linux machines. It holds a version and paths of
 * this program only: no text of a server, as Ansible would evaluate what looks like one of its expressions.
 */
export const ansibleFiles = (version: string): readonly KitFile[] => {
  const prefix = prefixOn('linux');
  const modules = `${prefix}/lib/node_modules`;
  return [
    {
      path: 'ansible/playbook.yml',
      text: `# Puts platform-setup on Linux machines, with the files that tell assistants which MCP servers to use.
#
#   ansible-playbook -i INVENTORY playbook.yml
#
# npm has to be there. No install script of a package is run.
- name: Connect assistants to the platform
  hosts: all
  become: true
  vars:
    platform_setup_version: "${version}"
    # Your own npm registry, if machines cannot reach the public one.
    platform_setup_registry: ""
    # "servers" gives every machine the entries, "allow-list" lets people connect them. "" installs the program alone.
    platform_setup_handling: servers
    node_architectures: {x86_64: x64, aarch64: arm64}
  tasks:
    - name: Look for the version that is installed
      ansible.builtin.slurp:
        src: ${modules}/platform-setup/package.json
      register: installed
      failed_when: false
      changed_when: false

    - name: Install the program, and a Node.js of its own
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

    - name: Put the policies and entries of assistants in place
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
      does: 'Installs the program and the files below machines/ on Linux, with Ansible.',
      checked: 'Run with ansible-core 2.14 on Debian 12, twice: the second run changed nothing.',
    },
  ];
};
