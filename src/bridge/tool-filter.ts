import {isReading, readOnlyHintIn} from '../domain/reading-tools.ts';
import {parseAsWritten} from '../mcp/exact-json.ts';
import type {MessageOutput} from '../mcp/exchange.ts';
import {errorAnswer, INVALID_PARAMS, isObject, type JsonObject} from '../mcp/message.ts';
import {SIGN_IN} from './local-server/tool-name.ts';

export type ToolFilterOptions = {
  /** Receives the messages for the assistant that pass. */
  readonly output: MessageOutput;
  /** Whether the assistant may only look at this moment. */
  readonly isOn: () => boolean;
  /** The tools that only read although their names do not say so. */
  readonly reading: () => readonly string[];
};

/**
 * Creates a filter between an assistant and everything else: while it is on, the assistant sees and can call only tools
 * that read. The assistant's messages pass it before any translation, and the answers pass it after that, so it works
 * in both eras of the protocol. The tool that signs in always passes.
 */
export const createToolFilter = ({output, isOn, reading}: ToolFilterOptions) => {
  /** The IDs of the requests for a list of tools that have no answer yet. */
  const listing = new Set<string>();
  /** Whether each tool only reads, by the name of the tool, as far as the server has said so. */
  const hints = new Map<string, boolean>();

  const passes = (name: unknown): boolean =>
    name === SIGN_IN || (typeof name === 'string' && isReading(name, hints.get(name), reading()));

  /** Returns whether a message of the assistant passes. One that does not is answered here. */
  const admits = (message: unknown): boolean => {
    if (!isObject(message)) return true;
    const {method, params, id} = message;
    if (method === 'tools/list' && id !== undefined) listing.add(JSON.stringify(id));
    if (method === 'notifications/cancelled' && isObject(params)) listing.delete(JSON.stringify(params.requestId));
    if (method !== 'tools/call' || passes(isObject(params) ? params.name : undefined)) return true;
    if (id !== undefined) void output.write(errorAnswer(JSON.stringify(id), {code: INVALID_PARAMS, message: REFUSED}));
    return false;
  };

  /** Returns a message of the server with only those tools that pass; the same value if it lists none. */
  const narrowed = (message: unknown): unknown => {
    if (!isObject(message) || !listing.delete(JSON.stringify(message.id))) return message;
    const {result} = message;
    if (!isObject(result) || !Array.isArray(result.tools)) return message;
    const tools = result.tools.filter(isObject);
    for (const tool of tools) learn(tool);
    return {...message, result: {...result, tools: tools.filter(({name}) => passes(name))}};
  };

  const learn = ({name, annotations}: JsonObject) => {
    const hint = readOnlyHintIn(annotations);
    if (typeof name === 'string' && hint !== undefined) hints.set(name, hint);
  };

  return {
    /** Returns the part of an assistant's line that passes; undefined if nothing is left of it. */
    take: (line: Buffer): Buffer | undefined => {
      if (!isOn()) return line;
      const value = parseAsWritten(line.toString('utf8'));
      if (!Array.isArray(value)) return admits(value) ? line : undefined;
      const admitted = value.filter(admits);
      if (admitted.length === value.length) return line;
      return admitted.length === 0 ? undefined : Buffer.from(JSON.stringify(admitted));
    },
    /** Takes the messages for the assistant. */
    output: {
      write: (message: Buffer) => {
        if (listing.size === 0) return output.write(message);
        const value = parseAsWritten(message.toString('utf8'));
        const shown = Array.isArray(value) ? value.map(narrowed) : narrowed(value);
        const isSame = Array.isArray(shown)
          ? shown.every((one, at) => one === (value as unknown[])[at])
          : shown === value;
        return output.write(isSame ? message : Buffer.from(JSON.stringify(shown)));
      },
    } satisfies MessageOutput,
  };
};

/** Gives no reason, because a model must not learn from an error how to get round the restriction. */
const REFUSED = 'This connection may only look.';
