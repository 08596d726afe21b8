import {expect, test} from 'vitest';
import {kimiCode} from './support/clients.ts';
import {describeClient} from './support/describe-client.ts';
import {callsSeen} from './support/expect-seen.ts';
import {type Machine, machineWith} from './support/machine.ts';
import {modelFor} from './support/model.ts';
import {testOfferedTools} from './support/offered-tools.ts';
import {testScopes} from './support/scopes.ts';
import {CLOSING, expectGoesOn, listing} from './support/two-calls.ts';

/** Settings with a custom model, for which Kimi Code needs no account. */
const modelAt = (url: string) => `default_model = "scripted"
telemetry = false

[providers.own]
type = "anthropic"
base_url = "${url}"
api_key = "none"

[models.scripted]
provider = "own"
model = "scripted"
max_context_size = 200000
capabilities = ["tool_use"]
`;

const talk = (machine: Machine, url: string) => {
  machine.write('.kimi-code/config.toml', modelAt(url));
  return machine.run(['-p', 'Begin.']);
};

const mine = '{\n  "mcpServers": {\n    "mine": {\n      "command": "true"\n    }\n  }\n}\n';

await describeClient(kimiCode, installed => {
  testOfferedTools(installed, 'kimi-code', talk);

  testScopes(installed, {
    assistant: 'kimi-code',
    seenAs: ['kimi-code'],
    files: {user: '.kimi-code/mcp.json'},
    chosen: {toolTimeoutMs: 30_000},
    // Kimi Code has no command for this. It writes this file when a person asks it to.
    own: async ({write}) => write('.kimi-code/mcp.json', mine),
    expectConnected: async machine => {
      const model = await modelFor([listing, {text: CLOSING}]);
      const {code, stdout, stderr} = await talk(machine, model.url);
      expect({code, stdout, stderr}).toMatchObject({code: 0, stdout: expect.stringContaining(CLOSING)});
      expect(callsSeen(machine)).toEqual([['live', 200]]);
    },
  });

  test('goes on when the token ends between two calls, by the bridge', async () => {
    const machine = await machineWith(installed);
    await machine.connect('kimi-code');
    await expectGoesOn(machine, url => talk(machine, url));
  });
});
