import {describe, expect, test} from 'vitest';
import {bindingIn, bindUsage, describeBinding} from '../../../src/command-line/sandbox/sandbox-bindings.ts';

describe('a line that is typed', () => {
  test.each([
    ['bind sub mcp_client', {claim: 'sub', value: 'mcp_client'}],
    [' bind  groups developers  role developer ', {claim: 'groups', value: 'developers', role: 'developer'}],
    ['bind sub mcp_client project shop', {claim: 'sub', value: 'mcp_client', project: 'shop'}],
    ['bind sub x project shop namespace acme', {claim: 'sub', value: 'x', project: 'shop', namespace: 'acme'}],
  ])('%j gives a role', (line, binding) => {
    expect(bindingIn(line)).toEqual(binding);
  });

  test.each(['bind', 'bind sub', 'bind sub x project', 'bind sub x planet mars'])('%j is explained', line => {
    expect(bindingIn(line)).toBe(`Type ${bindUsage}.`);
  });

  test.each(['', 'idp-down', 'binding sub x'])('%j is about something else', line => {
    expect(bindingIn(line)).toBeUndefined();
  });
});

describe('what is answered', () => {
  const client = {
    name: 'MCP client',
    clientId: 'mcp_client',
    subject: 'mcp_client',
    tokenEndpointAuthMethod: 'client_secret_basic' as const,
    grantTypes: [],
  };
  const binding = {claim: 'sub', value: 'mcp_client', role: 'admin'};
  const there = {authorization: true, clients: [client], release: '1.2' as const};

  test('says whose role it is, and where', () => {
    const bound = 'Bound: an account whose sub is mcp_client has the role admin';
    expect(describeBinding(binding, there)).toBe(`${bound} everywhere.`);
    expect(describeBinding({claim: 'sub', value: 'mcp_client'}, there)).toBe(
      'Bound: an account whose sub is mcp_client has the role that allows everything everywhere.',
    );
    expect(describeBinding({...binding, project: 'shop'}, there)).toBe(`${bound} in project shop.`);
    expect(describeBinding({...binding, namespace: 'a', project: 'b'}, there)).toBe(
      `${bound} in namespace a, project b.`,
    );
  });

  test('says what makes it useless', () => {
    const other = {...there, clients: [{...client, subject: 'an-id'}], release: 'next' as const};
    expect(describeBinding(binding, other)).toMatch(/ But the sub of that client is an-id\.$/);
    expect(describeBinding(binding, {...there, authorization: false, release: '0.14'})).toMatch(
      / Release 0\.14 ignores roles\.$/,
    );
  });
});
