import {describe, expect, test} from 'vitest';
import {json} from '../../src/assistants/formats/formats.ts';
import {decodeText, digest, openText, shownText} from '../../src/flows/planned-file.ts';

describe('the contents of a file', () => {
  test('are named by their SHA-256, and no file has none', () => {
    expect(digest(Buffer.from('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(digest(null)).toBeNull();
  });

  test('are text as they are, with the mark at the beginning and every kind of newline', () => {
    expect(decodeText(Buffer.from('\ufeffa\r\nb\n', 'utf8'), '/tmp/a.json')).toBe('\ufeffa\r\nb\n');
  });

  test('that would not come back as the same bytes are refused, with the path', () => {
    const decode = () => decodeText(Buffer.from([0x61, 0xff]), '/tmp/a.json');
    expect(decode).toThrow(expect.objectContaining({code: 'local-file-invalid', about: {path: '/tmp/a.json'}}));
  });
});

describe('a large file of an assistant', () => {
  const history = Array.from({length: 20_000}, (_, index) => `what was said ${index}, and answered`);
  const contents = (more: string) =>
    Buffer.from(`{\n "history": ${JSON.stringify(history, null, 1)},\n${more} "mcpServers": {"a": {"url": "x"}}\n}\n`);
  const format = json('mcpServers', 'strict');

  test('is edited without its bulk, and written with it', async () => {
    const bytes = contents('');
    const {editor, text, whole} = await openText(format, bytes, 'mcp.json');
    expect(text.length).toBeLessThan(500);
    const edited = String(whole(editor.set(text, {b: {url: 'y'}}, 'mcp.json')));
    expect(edited === editor.set(String(bytes), {b: {url: 'y'}}, 'mcp.json')).toBe(true);
  });

  test.each([
    ['a key is there twice', ' "history": 1,\n', 'contains the key “history” twice (line 20004)'],
    ['it is broken', ' 1,\n', 'is not valid JSON (line 20004)'],
    ['a merge is unfinished', '<<<<<<< ours\n', 'contains a merge conflict (line 20004)'],
    ['it holds a comment', ' // mine\n', 'contains a comment, which the assistant cannot read (line 20004)'],
  ])('is refused with the line where %s', async (_name, more, message) => {
    const {editor, text} = await openText(format, contents(more), 'mcp.json');
    expect(() => editor.read(text, 'mcp.json')).toThrow(`mcp.json ${message}`);
  });

  test('is no text where one byte of it is none', async () => {
    const bytes = contents('');
    bytes[1_000] = 0xff;
    await expect(openText(format, bytes, 'mcp.json')).rejects.toMatchObject({code: 'local-file-invalid'});
  });

  test('is shown without its bulk, and differently where that differs', async () => {
    const [one, other] = [contents(''), contents('')];
    other.write('!', 1_000);
    const shown = await shownText(format, one);
    expect(shown.length).toBeLessThan(500);
    expect(shown).not.toContain('what was said');
    expect(await shownText(format, other)).not.toBe(shown);
  });
});
