import {describe, expect, test} from 'vitest';
import {decodeText, digest} from '../../src/flows/file-contents.ts';

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
