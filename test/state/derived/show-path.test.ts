import {expect, test} from 'vitest';
import {showPath} from '../../../src/state/view/names.ts';
import {settings} from '../../support/states.ts';

test('a path is short for the home directory', () => {
  expect(showPath('/home/ann/.cursor/mcp.json', settings)).toBe('~/.cursor/mcp.json');
  expect(showPath('/home/anna/mcp.json', settings)).toBe('/home/anna/mcp.json');
  expect(showPath('/tmp/demo/mcp.json', settings)).toBe('/tmp/demo/mcp.json');
});

test('in the demonstration it is short for that’s directory', () => {
  const demo = {...settings, demo: {directory: '/tmp/demo'}};
  expect(showPath('/tmp/demo/project/mcp.json', demo)).toBe('project/mcp.json');
  expect(showPath('/tmp/demonstration/mcp.json', demo)).toBe('/tmp/demonstration/mcp.json');
  expect(showPath('/home/ann/mcp.json', demo)).toBe('~/mcp.json');
});
