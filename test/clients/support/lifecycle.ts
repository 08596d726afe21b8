import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Assistant} from '../../../src/assistants/assistant.ts';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Scope} from '../../../src/domain/context.ts';
import type {Installed} from './install.ts';
import {type Machine, machineWith} from './machine.ts';

export type Living = {
  /** Its ID for `setup mcp connect`. */
  readonly assistant: string;
  /** The file of each supported scope, below the home or the project. */
  readonly files: Partial<Readonly<Record<Scope, string>>>;
  /** The file that the client creates itself, if it is another. */
  readonly ownFiles?: Partial<Readonly<Record<Scope, string>>>;
  /** Makes the client write a person's entry by its own command, and complete the file as at a start. */
  own(machine: Machine, scope: Scope): Promise<unknown>;
  /** Members that a person of this client writes into an entry. */
  readonly chosen: Readonly<Record<string, unknown>>;
};

const NAME = 'platform-control-plane';

const rowOf = (id: string): Assistant => allAssistants.find(one => one.id === id) ?? expect.fail(`There is no ${id}.`);

/**
 * In each scope, in the file that the client wrote: connected, changed by hand, connected again, switched off,
 * connected again, disconnected, restored, disconnected. The person's changes stay throughout. In the end the file is
 * as before, to the byte.
 */
export const testLifecycle = (installed: Installed, {assistant, files, ownFiles = files, own, chosen}: Living) => {
  const scopes = (['user', 'project'] as const).filter(scope => files[scope] !== undefined);

  test.for(scopes)('keeps what the person changes, from the first entry to the last, %s scope', async scope => {
    const machine = await machineWith(installed);
    const {format, entry} = rowOf(assistant);
    const editor = await format.editor();
    const path = join(scope === 'user' ? machine.home : machine.project, ownFiles[scope] ?? '');
    const read = () => readFileSync(path, 'utf8');
    const change = (members: Readonly<Record<string, unknown>>): string => {
      const present = editor.read(read(), path)[NAME];
      expect(present, `the entry in ${path}`).toBeDefined();
      const changed = editor.set(read(), {[NAME]: {...(present as object), ...members}}, path);
      writeFileSync(path, changed);
      return changed;
    };
    const connect = () => machine.connect(assistant, '--scope', scope, '--method', 'bridge');

    await own(machine, scope);
    const before = read();
    await connect();
    expect(read()).not.toBe(before);
    const changed = change(chosen);
    await connect();
    expect(read()).toBe(changed);
    const off = entry.off ? change({[entry.off[0]]: entry.off[1]}) : changed;
    await connect();
    expect(read()).toBe(off);
    await machine.disconnect(assistant);
    expect(read()).toBe(before);
    await machine.undo();
    expect(read()).toBe(off);
    await machine.disconnect(assistant);
    expect(read()).toBe(before);
  });
};
