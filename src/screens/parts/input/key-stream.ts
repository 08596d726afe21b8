import {EventEmitter} from 'node:events';
import {createKeyReader, type KeyReader} from './key-reader.ts';
import type {TextClaims} from './text-claims.tsx';

type Source = Pick<
  NodeJS.ReadStream,
  'isTTY' | 'setRawMode' | 'setEncoding' | 'ref' | 'unref' | 'read' | 'on' | 'off' | 'unshift'
>;

/**
 * The terminal's input as Ink reads it, one key at a time. Ink itself hands on what came in one read as one input, and
 * takes an Esc for a key after 20 ms.
 *
 * @param hear takes what is no key, such as an answer of the terminal
 */
export const createKeyStream = (
  source: Source,
  claims: TextClaims,
  hear: (answer: string) => void,
): NodeJS.ReadStream => {
  const stream = new EventEmitter();
  let sequence: string | null = null;
  let reader: KeyReader | undefined;

  const emit = (one: string) => {
    sequence = one;
    stream.emit('readable');
  };
  const read = () => {
    for (;;) {
      const chunk: unknown = source.read();
      if (chunk === null) return;
      reader?.push(String(chunk));
    }
  };
  stream.on('newListener', name => {
    if (name !== 'readable' || reader) return;
    reader = createKeyReader(emit, claims, hear);
    source.on('readable', read);
  });
  stream.on('removeListener', name => {
    if (name !== 'readable' || stream.listenerCount('readable') > 0) return;
    source.off('readable', read);
    // Whoever reads the terminal next, another screen or a question, has what was typed for them.
    const rest = reader?.stop() ?? '';
    reader = undefined;
    if (rest !== '') source.unshift(rest, 'utf8');
  });
  const asTerminal = {
    isTTY: source.isTTY,
    setRawMode: (isRaw: boolean) => source.setRawMode(isRaw),
    setEncoding: (encoding: BufferEncoding) => source.setEncoding(encoding),
    ref: () => source.ref(),
    unref: () => source.unref(),
    read: () => {
      const one = sequence;
      sequence = null;
      return one;
    },
  };
  // Of a stream, Ink uses these and the listeners.
  return Object.assign(stream, asTerminal) as unknown as NodeJS.ReadStream;
};
