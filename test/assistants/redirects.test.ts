import {expect, test} from 'vitest';
import {redirectsTo} from '../../src/assistants/assistant.ts';
import {claudeCode} from '../../src/assistants/catalogue/claude-code.ts';
import {codexCli} from '../../src/assistants/catalogue/codex-cli.ts';
import {cursor} from '../../src/assistants/catalogue/cursor.ts';
import {zed} from '../../src/assistants/catalogue/zed.ts';

// Codex 0.169 asked for these redirect URIs when it signed in to these servers, on a port of its own.
test.each([
  ['http://127.0.0.1:9999/mcp', 'http://127.0.0.1/callback/CnFCLXupfsy6'],
  ['http://api.acme.localhost:18080/mcp', 'http://127.0.0.1/callback/oGhu4m-7BxTm'],
])('Codex comes back from %s to an address that is made of it', (server, redirect) => {
  expect(redirectsTo(codexCli, server)).toEqual([redirect]);
});

test('another assistant comes back to the first that it is known for, whichever server it is', () => {
  expect(redirectsTo(claudeCode, 'https://api.example.com/mcp')).toEqual(['http://localhost:8075/callback']);
  expect(redirectsTo(cursor, 'https://api.example.com/mcp')).toEqual(['http://localhost:8787/callback']);
  expect(redirectsTo(zed, 'https://api.example.com/mcp')).toEqual([]);
});
