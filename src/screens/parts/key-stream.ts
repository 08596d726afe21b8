import {EventEmitter} from 'node:events';
import {CTRL_C, ESC_KEY, firstToken, type KeyToken, PASTE_END, PASTE_START, type Pending} from './key-sequences.ts';
import type {TextClaims} from './text-field.tsx';

/** After this time, in milliseconds, Esc is a key and not the beginning of a sequence that a slow line cut in two. */
const ESC_WAIT = 100;

/** After this time without input, in milliseconds, an incomplete sequence is given up, and keys are keys again. */
const END_WAIT = 500;

export type KeyReader = {
  /** Takes input, in pieces as they arrive. */
  push(chunk: string): void;
  /** Ends the reader: it emits nothing more. Returns the input that was not emitted, as it came. */
  stop(): string;
};

/**
 * Splits a terminal's input into single keys. One read may bring many keys, or cut one in two. Each key is emitted once
 * the effect of the previous one is drawn, so that it reaches the screen that the previous one led to. A single key is
 * emitted at once.
 *
 * @param emit takes a key, a text or a paste as Ink reads them: one complete sequence of bytes
 * @param claims says whether a field takes a text as a whole; otherwise each character is a key
 * @param hear takes input that is not a key, such as an answer of the terminal
 */
export const createKeyReader = (
  emit: (sequence: string) => void,
  claims: Pick<TextClaims, 'isTaken'>,
  hear: (answer: string) => void = () => {},
): KeyReader => {
  let queue: KeyToken[] = [];
  let unread = '';
  /** The input after the start mark of a paste. */
  let pasted: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;

  const interrupt = () => {
    // A terminal drops its own queue on Ctrl-C too (unless NOFLSH is set): a person who leaves does not want the
    // earlier keys handled.
    queue = [{type: 'key', raw: CTRL_C, key: CTRL_C}];
    clearImmediate(turn);
    turn = undefined;
  };

  const add = (token: KeyToken) => {
    if (token.type === 'key' && token.key === CTRL_C) interrupt();
    else if (token.type === 'nothing') hear(token.raw);
    else queue.push(token);
  };

  /** Reads as much of a paste as possible. Returns false while its end is missing. */
  const readPaste = (): boolean => {
    if (pasted === undefined) return true;
    const from = Math.max(0, pasted.length - PASTE_END.length);
    pasted += unread;
    unread = '';
    const end = pasted.indexOf(PASTE_END, from);
    if (end >= 0) {
      unread = pasted.slice(end + PASTE_END.length);
      add({type: 'paste', raw: PASTE_START + pasted.slice(0, end) + PASTE_END, text: pasted.slice(0, end)});
      pasted = undefined;
      return true;
    }
    const left = pasted.indexOf(CTRL_C, from);
    if (left < 0) return false;
    unread = pasted.slice(left);
    pasted = undefined;
    return true;
  };

  const read = (): Pending | undefined => {
    for (;;) {
      if (!readPaste()) return 'sequence';
      if (unread === '') return undefined;
      const token = firstToken(unread);
      if (typeof token === 'string') return token;
      unread = unread.slice(token.raw.length);
      if (token.raw === PASTE_START) pasted = '';
      else add(token);
    }
  };

  const giveUp = (pending: Pending) => {
    if (pasted !== undefined) {
      const text = pasted;
      pasted = undefined;
      if (text !== '') add({type: 'paste', raw: PASTE_START + text + PASTE_END, text});
    } else if (pending === 'esc') {
      for (const raw of unread) add({type: 'key', raw, key: ESC_KEY});
    }
    unread = '';
    next();
  };

  const readAndWait = () => {
    const pending = read();
    next();
    if (!pending) return;
    timer = setTimeout(
      // Input that arrived while the program was busy is read first.
      () => {
        timer = undefined;
        late = setImmediate(giveUp, pending);
      },
      pending === 'esc' ? ESC_WAIT : END_WAIT,
    );
  };
  let late: NodeJS.Immediate | undefined;
  const forgetWait = () => {
    clearTimeout(timer);
    clearImmediate(late);
  };

  const next = () => {
    if (turn !== undefined) return;
    const token = queue.shift();
    if (!token) return;
    turn = setImmediate(() => {
      turn = undefined;
      next();
    });
    emit(sequenceOf(token));
  };

  const sequenceOf = (token: KeyToken): string => {
    switch (token.type) {
      case 'paste':
        return PASTE_START + token.text + PASTE_END;
      case 'text': {
        if (claims.isTaken(token.raw)) return token.raw;
        const [character = ''] = token.raw;
        const rest = token.raw.slice(character.length);
        if (rest !== '') queue.unshift({type: 'text', raw: rest});
        return character;
      }
      case 'chord':
        if (claims.isTaken('') && editing.test(token.alt)) return token.alt;
        queue.unshift(token.behind);
        return ESC_KEY;
      case 'key':
        return token.key;
      case 'nothing':
        return '';
      default:
        return token satisfies never;
    }
  };

  return {
    push: chunk => {
      forgetWait();
      unread += chunk;
      readAndWait();
    },
    stop: () => {
      forgetWait();
      clearImmediate(turn);
      turn = undefined;
      const rest = queue.map(({raw}) => raw).join('') + (pasted === undefined ? '' : PASTE_START + pasted) + unread;
      queue = [];
      [unread, pasted] = ['', undefined];
      return rest;
    },
  };
};

/** The editing commands with Alt: words, with b, f, d, Backspace and arrows. Outside a field they are Esc and a key. */
const editing = /^\u001B(?:[bBfFdD\u0008\u007F]|\[1;3[CD])$/;

type Source = Pick<
  NodeJS.ReadStream,
  'isTTY' | 'setRawMode' | 'setEncoding' | 'ref' | 'unref' | 'read' | 'on' | 'off' | 'unshift'
>;

/**
 * Creates the terminal's input for Ink, one key at a time. Ink itself passes on all ordinary characters of one chunk as
 * a single input, and treats Esc as a key after 20 ms.
 *
 * @param hear takes input that is not a key, such as an answer of the terminal
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
    // The next reader of the terminal, another screen or a question, gets what was typed for it.
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
  // Ink uses only these members of a stream, and its listeners.
  return Object.assign(stream, asTerminal) as unknown as NodeJS.ReadStream;
};
