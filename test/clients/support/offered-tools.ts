import {expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Installed} from './install.ts';
import {type Machine, machineWith} from './machine.ts';
import {modelFor} from './model.ts';
import type {Ended} from './program.ts';
import {CLOSING, listing} from './two-calls.ts';

/**
 * Tests whether the first request of a conversation carries the tools, or the model has to search for them, as the
 * catalogue says.
 *
 * @param talk has one prompt answered by the model at this origin
 * @param make starts a model with the API that the client uses
 */
export const testOfferedTools = (
  installed: Installed,
  assistant: string,
  talk: (machine: Machine, url: string) => Promise<Ended>,
  make: typeof modelFor = modelFor,
) => {
  const defers = allAssistants.find(({id}) => id === assistant)?.defersTools ?? false;
  test(`gives its model the tools ${defers ? 'once it has searched for them' : 'at once'}`, async () => {
    const machine = await machineWith(installed);
    await machine.connect(assistant, '--method', 'bridge');
    const model = await make([{text: CLOSING}]);
    const {stdout} = await talk(machine, model.url);
    expect(stdout).toContain(CLOSING);
    expect(model.offered().length).toBeGreaterThan(0);
    expect(model.offered().some(name => name.endsWith(listing.tool))).toBe(!defers);
  });
};
