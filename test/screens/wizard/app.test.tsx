import {describe, expect, test, vi} from 'vitest';
import {TickProvider} from '../../../src/screens/parts/progress-rows.tsx';
import {App} from '../../../src/screens/wizard/app.tsx';
import type {WizardState} from '../../../src/state/model.ts';
import {render, widths} from '../../support/render.tsx';
import {standing} from '../../support/standing-wizard.ts';
import {at, having, settings, withToolSets} from '../../support/states.ts';
import {again, failed, probing, screens} from '../screens.ts';

const show = (state: WizardState, size?: {columns?: number; rows?: number}) => {
  const wizard = standing(state);
  const send = vi.fn();
  const screen = render(<App wizard={wizard} send={send} now={() => 0} />, size);
  return {...screen, wizard, send};
};

test('who signs in a second time reads why', async () => {
  const {shows} = show(again, {columns: 120});
  await shows(/Waiting for your browser/);
  await shows(/You need to sign in a second time: http:\/\/observer\.acme\.localhost:11080\/mcp accepts only/);
});

test.each([40, 60, 80])(
  'the end of the demonstration breaks its sentences between words, at %d columns',
  async columns => {
    const directory = '/tmp/platform-setup-demo-N789UG';
    const {frame, shows} = show({...at.done, settings: {...at.done.settings, demo: {directory}}}, {columns, rows: 60});
    await shows('enter leave');
    const said = `Other files in ${directory}, which is removed when you leave:`;
    expect(frame().replaceAll(/\s+/g, ' ')).toContain(said);
  },
);

describe.each(widths)('at %d columns', columns => {
  // The address stands above the frame, on lines that are not wrapped.
  test.each(Object.entries(screens).filter(([name]) => name !== 'the browser'))(
    '%s fits, with its heading and its keys',
    async (_name, [state, heading]) => {
      const {frame, shows} = show(state, {columns});
      await shows(/\? keys|continue/);
      const lines = frame().split('\n');
      expect(lines.filter(line => [...line].length > columns)).toEqual([]);
      // The rail gives up its rows if the rest needs them.
      expect(lines[0]).toMatch(/^ {2}(?:Platform setup|✖ )/);
      expect(frame().replaceAll(/\s+/g, ' ')).toMatch(heading);
    },
  );
});

test('a search shows each source and address with what came of it', async () => {
  const {frame, shows} = show(having(at['find-deployment'], ...probing), {columns: 100});
  await shows('Helm release');
  expect(frame()).toMatch(/✔ Helm release +acme\.localhost +212 ms/);
  expect(frame()).toMatch(/○ Gateway route +asking kubectl…/);
  expect(frame()).toMatch(/✔ Control plane +http:\/\/api\.acme\.localhost:8080 +14 ms/);
  expect(frame()).toMatch(/○ Observer +http:\/\/observer\.observability\.acme\.localhost:11087/);
});

test('what a flow tells in one go is one frame', async () => {
  const wizard = standing(at['find-deployment']);
  const {frames, shows} = render(
    // The clock of the step would draw frames of its own.
    <TickProvider value={3_600_000}>
      <App wizard={wizard} send={() => {}} now={() => 0} />
    </TickProvider>,
    {columns: 100},
  );
  await shows('Looking for your platform');
  // On a busy machine the first screen may take more than one frame.
  let before = -1;
  await vi.waitUntil(
    () => {
      const isAtRest = frames() === before;
      before = frames();
      return isAtRest;
    },
    {interval: 60},
  );
  for (const event of probing) {
    wizard.dispatch(event);
    await Promise.resolve();
  }
  await shows('Helm release');
  // On a busy machine a frame from before may come in between.
  expect(frames() - before).toBeLessThanOrEqual(2);
  expect(probing.length).toBeGreaterThan(4);
});

test('how long a wait takes at most is said beside how long it has taken', async () => {
  const app = <App wizard={standing(having(at['find-deployment'], ...probing))} send={() => {}} now={() => 0} />;
  const {shows} = render(<TickProvider value={100}>{app}</TickProvider>, {columns: 100});
  await shows(/Gateway route +asking kubectl… +0 of 10 s/);
  await shows(/Observer +http\S+ +up to 2 s/);
});

test('a longest time that is over is not named any more', async () => {
  const app = <App wizard={standing(having(at['find-deployment'], ...probing))} send={() => {}} now={() => 12_000} />;
  const {frame, shows} = render(<TickProvider value={100}>{app}</TickProvider>, {columns: 100});
  await shows(/Gateway route +asking kubectl… +12 s/);
  expect(frame()).not.toContain('of 10 s');
});

describe('keys', () => {
  test('Enter accepts the deployment', async () => {
    const {press, shows, wizard} = show(at.deployment);
    await shows('❯ Use this deployment');
    press('enter');
    await shows('How do you want to sign in?');
    expect(wizard.dispatch).toHaveBeenCalledExactlyOnceWith({type: 'answered', answers: {deploymentAccepted: true}});
  });

  test('an Enter that was pressed before the terminal gave keys one by one is one as well', async () => {
    const {press, shows} = show(at.deployment);
    await shows('❯ Use this deployment');
    press('\n');
    await shows('How do you want to sign in?');
  });

  test('arrows and numbers choose, and what is known already comes along', async () => {
    const presets = {'service-account': {clientId: 'ci', clientEntered: true}} as const;
    const {press, shows, wizard} = show({...at['sign-in'], settings: {...settings, presets}});
    await shows('❯ In the browser');
    press('up');
    await shows('❯ With a service account');
    await shows('Using ci');
    press('4');
    await vi.waitFor(() => expect(wizard.dispatch).toHaveBeenCalled());
    expect(wizard.dispatch).toHaveBeenCalledWith({
      type: 'answered',
      answers: {signIn: 'service-account', clientId: 'ci', clientEntered: true},
    });
  });

  test('another base domain is typed, a letter is no key there, and Esc leaves it', async () => {
    const {press, shows, wizard} = show(at.deployment);
    await shows('❯ Use this deployment');
    press('up');
    press('up');
    await shows('❯ Another base domain');
    press('enter');
    await shows('Base domain, or any address');
    press('\u0015');
    press('e?');
    await shows('❯ e?');
    press('esc');
    await shows('Use this deployment');
    expect(wizard.dispatch).not.toHaveBeenCalled();
  });

  test('what cannot be an address or a base domain is said at once, and stays to be mended', async () => {
    const {press, shows, wizard, frame} = show(at.deployment);
    press('down');
    await shows('❯ Change an address');
    press('enter');
    await shows('Which address?');
    press('enter');
    await shows('Its address');
    // Without waiting for a frame in between, as when a person types fast.
    press('x y');
    press('enter');
    await shows('is not an address');
    expect(wizard.dispatch).not.toHaveBeenCalled();
    press('backspace');
    await vi.waitFor(() => expect(frame()).not.toContain('is no address'));
  });

  test('one address is changed, and the others stay', async () => {
    const {press, shows, wizard} = show(at.deployment);
    await shows('❯ Use this deployment');
    press('2');
    await shows('Which address?');
    press('2');
    await shows('❯ http://observer.acme.localhost:11080');
    press('\u0015');
    press('http://127.0.0.1:9');
    await shows('❯ http://127.0.0.1:9');
    press('enter');
    await vi.waitFor(() => expect(wizard.dispatch).toHaveBeenCalled());
    expect(wizard.dispatch.mock.calls[0]?.[0]).toMatchObject({
      answers: {
        baseDomain: 'acme.localhost',
        addresses: {
          controlPlaneUrl: 'http://api.acme.localhost:8080',
          observerUrl: 'http://127.0.0.1:9',
          authUrl: 'http://idp.acme.localhost:8080',
        },
      },
    });
  });

  test('Esc goes back to the question before', async () => {
    const {press, shows, wizard} = show(at['sign-in']);
    await shows('esc back');
    press('esc');
    await shows('Use this deployment');
    expect(wizard.dispatch).toHaveBeenCalledWith({type: 'went-back', to: 'deployment'});
  });

  test('a secret is masked, and shows itself to nobody', async () => {
    const {press, shows, frame, wizard} = show(at.client);
    await shows('Client ID');
    press('my_client');
    await shows('my_client');
    press('enter');
    await shows(/Client secret\n +❯/);
    press('canary-secret');
    await shows('•••••••••••••');
    expect(frame()).not.toContain('canary');
    press('\u0012');
    await shows('❯ canary-secret');
    press('\u0012');
    await shows('•••••••••••••');
    press('enter');
    await vi.waitFor(() => expect(wizard.dispatch).toHaveBeenCalled());
    expect(wizard.state().answers.clientSecret?.reveal()).toBe('canary-secret');
    expect(JSON.stringify([wizard.dispatch.mock.calls, wizard.state()])).not.toContain('canary');
  });

  test('name and secret in one go, as a password manager types them; a header’s words are no part of it', async () => {
    const {press, shows, wizard} = show(at.client);
    await shows('Client secret');
    press('ci');
    press('tab');
    press('Authorization: Bearer s3cret');
    press('enter');
    await vi.waitFor(() => expect(wizard.state().answers.clientSecret?.reveal()).toBe('s3cret'));
    expect(wizard.state().answers.clientId).toBe('ci');
  });

  test.each([
    ['all of it in one read', ['ci\ts3cret\r']],
    ['key by key', [...'ci\ts3cret\r']],
    ['with what was typed before taken away', ['wrong\u0015ci\tnone\u0015s3cret\r']],
  ])('name and secret as a password manager types them, %s', async (_name, reads) => {
    const {press, shows, frame, wizard} = show(at.client);
    await shows('Client secret');
    for (const read of reads) {
      press(read);
      expect(frame()).not.toContain('s3c');
    }
    await vi.waitFor(() => expect(wizard.state().answers.clientSecret?.reveal()).toBe('s3cret'));
    expect(wizard.state().answers.clientId).toBe('ci');
  });

  test('a password manager types the name that is known already, and the secret stays hidden', async () => {
    const {press, shows, frame, wizard} = show({
      ...at.client,
      answers: {...at.client.answers, clientId: 'ci'},
    });
    await shows(/Client secret\n +❯/);
    press('ci\ts3cret');
    await shows('••••••');
    expect(frame()).not.toMatch(/s3c|•{7}/);
    press('enter');
    await vi.waitFor(() => expect(wizard.state().answers.clientSecret?.reveal()).toBe('s3cret'));
  });

  test('Tab never leads from a secret to a field that can be read', async () => {
    const {press, shows, frame} = show({...at.client, answers: {...at.client.answers, clientId: 'ci'}});
    await shows(/Client secret\n +❯/);
    press('bob\ts3cret');
    await shows('•••••••••');
    expect(frame()).not.toMatch(/s3c|bob/);
    press('up');
    await shows(/Client ID\n +❯ ci/);
  });

  test('Esc finds what was chosen, and so does who goes forward again', async () => {
    const {press, shows} = show(at.deployment);
    await shows('❯ Use this deployment');
    press('enter');
    await shows('How do you want to sign in?');
    press('3');
    await shows('Client secret');
    press('esc');
    await shows(/How do you want to sign in\?[\s\S]*❯ .*\n.*With a service account/);
    press('esc');
    await shows('❯ Use this deployment');
    press('enter');
    await shows(/How do you want to sign in\?[\s\S]*❯ .*\n.*With a service account/);
  });

  test('Enter writes, and nothing before it does', async () => {
    const {press, shows, wizard} = show(at.review);
    await shows('+  "mcpServers": {');
    press('down');
    await shows('❯ ~/.config/platform-setup/config.json');
    expect(wizard.dispatch).not.toHaveBeenCalled();
    press('enter');
    await vi.waitFor(() =>
      expect(wizard.dispatch).toHaveBeenCalledWith({type: 'answered', answers: {changesAccepted: true}}),
    );
  });

  test('e shows the calls as curl lines, ? shows the keys, and both close again', async () => {
    const answer = {
      result: '200',
      failed: false,
      ms: 31,
      curl: 'curl -u mcp_client:"$CLIENT_SECRET" http://idp.acme.localhost:8080/oauth2/token',
    };
    const call = {
      call: 1,
      step: 'obtain-token',
      method: 'POST',
      url: 'http://idp.acme.localhost:8080/oauth2/token',
      answer,
    } as const;
    const {press, shows} = show({...at['sign-in'], calls: [call]});
    await shows('e calls');
    press('e');
    await shows('curl -u mcp_client:"$CLIENT_SECRET"');
    press('esc');
    await shows('How do you want to sign in?');
    press('?');
    await shows('leave at once');
    press('?');
    await shows('How do you want to sign in?');
  });

  test('g shows how to register a client for a sign-in in the browser, a section at a time', async () => {
    const {press, shows} = show(at['sign-in']);
    await shows('g guide');
    press('g');
    await shows('For people: a public client');
    await shows('(1 of 6)');
    for (const section of [2, 3, 4, 5, 6]) {
      press('down');
      await shows(`(${section} of 6)`);
    }
    await shows('client_id: "platform-cli"');
    press('up');
    await shows('Refresh tokens');
    press('esc');
    await shows('How do you want to sign in?');
  });

  test('a failure offers every way on, and Ctrl-C leaves from anywhere', async () => {
    const {press, shows, ended} = show(failed);
    await shows('❯ Enter the client again');
    await shows('What to do:');
    await shows('Quit');
    press('\u0003');
    expect(await ended).toBe('cancelled');
  });
});

test('the end says until when, where, and what to ask', async () => {
  const {shows, frame, press, ended} = show(at.done);
  await shows(/MCP JSON +~\/project\/\.mcp\.json: control plane 25 tools, observability 6\s+tools/);
  expect(frame()).toContain('expires in 1 h');
  expect(frame()).toContain('~/.config/platform-setup/config.json');
  press('enter');
  expect(await ended).toBe('done');
});

test('t leads through the presets of tools, and what each takes may come a moment later', async () => {
  const {press, shows, frame, wizard} = show(withToolSets, {columns: 100});
  await shows('Tools     all 31, about 7,600 tokens');
  press(' ');
  await shows('◯ Claude Code');
  press('t');
  await shows('Tools     I build services: counting…');
  const looks = wizard.dispatch.mock.calls.filter(([{type}]) => type === 'tools-looked-at');
  expect(looks).toEqual([[{type: 'tools-looked-at', tools: 'build'}]]);
  const toolCosts = {build: {tools: 10, tokens: 2000}};
  wizard.dispatch({type: 'learned', step: 'assistants', facts: {toolCosts}});
  await shows('Tools     I build services: 16 of 31, about 3,500 tokens');
  // The earlier choice stays.
  expect(frame()).toContain('◯ Claude Code');
  press('t');
  await shows('I run the platform');
  press('t');
  await shows('only look: 21 of 31');
  press('t');
  await shows('all 31');
  press('enter');
  expect(wizard.dispatch.mock.lastCall?.[0]).toMatchObject({answers: {connect: {tools: 'all'}}});
});

test('s leads through all projects, this one, and this one for everybody in it', async () => {
  const {press, shows, wizard} = show(at.assistants, {columns: 100});
  await shows('Scope     all your projects');
  press('s');
  await shows('Scope     this project only');
  press('s');
  await shows('Scope     this project, for everybody in it');
  press('enter');
  expect(wizard.dispatch.mock.lastCall?.[0]).toMatchObject({answers: {connect: {scope: 'project', isShared: true}}});
});

test('an assistant whose tick is taken away stays in the list', async () => {
  const chosen = {assistants: ['cursor'], scope: 'user', method: 'auto'} as const;
  const {press, shows} = show({...at.assistants, chosen}, {columns: 100});
  await shows('◉ Cursor');
  press('aa');
  await shows('◯ Claude Code');
  await shows('◯ Cursor');
});

test('a ticks all and none, and what was ticked is there again for who went back', async () => {
  const {press, shows, frame, wizard} = show(at.assistants, {columns: 100});
  await shows('◉ Claude Code');
  press('oa');
  await shows('◉ MCP JSON');
  expect(frame()).not.toContain('◯');
  press('a');
  await shows('◯ MCP JSON');
  expect(frame()).not.toContain('◉');
  press('/curs\r \u001B');
  await shows('❯ Stay signed in as mcp_client');
  press('\r');
  await shows('Checking that everything answers');
  wizard.dispatch({type: 'learned', step: 'check', facts: at.assistants.facts});
  await shows('Which assistants should use the platform?');
  press('o');
  await shows('◉ Cursor');
  expect(frame()).toContain('◯ Claude Code');
});

test('a scope that was chosen after a failure is there for the person who goes back', async () => {
  const {own} = settings;
  const begun = {...at.assistants, settings: {...at.assistants.settings, own: {command: own.command, args: own.args}}};
  const {press, shows, wizard} = show(begun, {columns: 100});
  await shows('Scope     all your projects');
  press('ss');
  await shows('Scope     this project, for everybody in it');
  press('\r');
  await shows('Working out what will change');
  wizard.dispatch({
    type: 'failed',
    failure: {
      ...{step: 'plan', code: 'input-invalid', whose: 'you', headline: 'The input is invalid', about: {flag: 'scope'}},
      ...{message: 'The entry would not start.', remedy: 'Choose “This project only”.'},
    },
  });
  await shows('❯ This project only');
  press('\r');
  await shows('Working out what will change');
  press('\u001B');
  await shows('Which assistants should use the platform?');
  await shows('Scope     this project only');
});

test('who comes back to the ways to sign in stays signed in by Enter, whatever was chosen there before', async () => {
  const {press, shows, wizard} = show(at['sign-in'], {columns: 100});
  await shows('❯ In the browser');
  press('\u001B[B\r');
  await shows('Looking for a saved MCP client');
  wizard.dispatch({type: 'answered', answers: at.assistants.answers});
  wizard.dispatch({type: 'learned', step: 'check', facts: at.assistants.facts});
  await shows('Which assistants should use the platform?');
  press('\u001B');
  await shows('❯ Stay signed in as mcp_client');
});

test('without presets, t leads from all tools to those that only read', async () => {
  const {press, shows, wizard} = show(at.assistants, {columns: 100});
  await shows('Tools     all 31, about 7,600 tokens');
  press('t');
  await shows('Tools     only look: 21 of 31, about 4,500 tokens');
  press('enter');
  expect(wizard.dispatch.mock.lastCall?.[0]).toMatchObject({answers: {connect: {tools: 'look'}}});
});

test('in sixteen rows of forty columns a changed account and scope stay on the screen, cut to a line each', async () => {
  const {frame, press, shows} = show(at.assistants, {columns: 40, rows: 16});
  await shows('continue');
  press('s');
  await shows('this project only');
  press('s');
  await shows('for everybody');
  press('r');
  await shows(/Act as +an account of their own; .*…/);
  expect(frame()).toMatch(/Scope +this project, for everybody…/);
  expect(frame()).toContain('Sign-in');
  expect(frame()).toContain('Tools');
});

test('in twelve rows of forty columns the setting of the tools is whole, and the path says the scope', async () => {
  const toolCosts = {run: {tools: 106, tokens: 21_791}};
  const state = {
    ...withToolSets,
    settings: {...withToolSets.settings, connect: {tools: 'run'}} as const,
    facts: {...withToolSets.facts, toolCosts},
  };
  const {frame, shows} = show(state, {columns: 40, rows: 12});
  await shows('continue');
  expect(frame().replaceAll(/\s+/g, ' ')).toContain('Tools I run the platform: 112 of 31, about 23,300 tokens');
  expect(frame()).not.toContain('Scope');
  expect(frame().split('\n').length).toBeLessThan(12);
});
