import {describe, expect, test} from 'vitest';
import {json, toml, yamlList, yamlMap} from '../../../src/assistants/formats/formats.ts';

const before = {url: 'http://old', headers: {Authorization: 'Bearer old', 'X-Team': 'a'}, mine: [1, 2], timeout: 5};
const after = {url: 'http://new', headers: {Authorization: 'Bearer new', 'X-Team': 'a'}, mine: [1, 2], timeout: 5};

describe('an entry that is changed keeps every byte of the members that do not change', () => {
  test.each([
    [
      'JSON',
      json('servers'),
      '{"servers": {\n\t"acme": { // entry\n "url" : "http://old" , /* a */ "headers": {"Authorization":"Bearer old",\n"X-Team":"a"},"mine":[1,\n2], "timeout": 5 } } }',
    ],
    [
      'TOML, a table',
      toml('servers'),
      '[servers.acme] # entry\nurl   = "http://old" # a\nmine = [1, # b\n 2]\ntimeout = 5\n[servers.acme.headers]\nAuthorization = "Bearer old" # c\n\'X-Team\' = \'a\'\n# end\n',
    ],
    [
      'TOML, inline',
      toml('servers'),
      'servers = { acme = { url = "http://old", headers = { Authorization = "Bearer old", X-Team = \'a\' }, mine = [ 1, 2 ], timeout = 5 } } # e\n',
    ],
    [
      'TOML, dotted',
      toml('servers'),
      '[servers.acme]\nheaders.Authorization = "Bearer old" # a\nheaders.X-Team = "a"\nurl = "http://old"\nmine=[1,2]\ntimeout=5',
    ],
    [
      'YAML, lines',
      yamlMap('servers'),
      'servers:\n  acme: # entry\n    url:   http://old # a\n    headers:\n        Authorization: "Bearer old" # b\n        X-Team: a\n    mine:\n    - 1 # c\n    - 2\n    timeout: 5\n# end\n',
    ],
    [
      'YAML, brackets',
      yamlMap('servers'),
      'servers: {acme: {url: http://old, headers: {Authorization: Bearer old, X-Team: a}, mine: [1, 2], timeout: 5}} # e\n',
    ],
    [
      'YAML, a list',
      yamlList('servers', ''),
      'servers:\n- name: acme # entry\n  url: http://old # a\n  headers: {Authorization: Bearer old, X-Team: a}\n  mine: [1, 2]\n  timeout: 5\n',
    ],
  ])('%s', async (_name, format, text) => {
    const editor = await format.editor();
    expect(editor.read(text, 'file').acme).toEqual(before);
    const changed = editor.set(text, {acme: after}, 'file');
    expect(editor.read(changed, 'file').acme).toEqual(after);
    const bare = (one: string) => one.replaceAll(/"?(?:http:\/\/|Bearer )(?:old|new)"?/g, '@');
    expect(bare(text).split('@')).toHaveLength(3);
    expect(bare(changed)).toBe(bare(text));
  });

  test.each([
    ['JSON', json('servers'), '{"servers": {"acme": {"url": "u", /* mine */ "x": 1}}}', ['/* mine */', '"x": 1']],
    ['TOML', toml('servers'), '[servers.acme]\nurl = "u"\n# mine\nx = 1 # kept\n', ['# mine', 'x = 1 # kept']],
    [
      'YAML',
      yamlMap('servers'),
      'servers:\n  acme:\n    url: u\n    # mine\n    x: 1 # kept\n',
      ['# mine', 'x: 1 # kept'],
    ],
  ])('also where it is connected in another way: %s', async (_name, format, text, kept) => {
    const editor = await format.editor();
    const entry = {x: 1, command: 'node', args: ['a']};
    const changed = editor.set(text, {acme: entry}, 'file');
    expect(editor.read(changed, 'file').acme).toEqual(entry);
    for (const one of kept) expect(changed).toContain(one);
  });
});
