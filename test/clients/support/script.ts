/** A turn of the model: it calls a tool whose name ends in this way, without arguments by default, or it ends. */
export type Turn =
  | {
      readonly tool: string;
      readonly input?: object;
      /** A tool that has to be offered afterwards: until it is, the model repeats its call. */
      readonly until?: string;
    }
  | {readonly text: string};

/** The most calls of a tool until another is offered: for servers that connect meanwhile. */
const MOST_CALLS = 200;

/** The turns of the model. A function first does something while the assistant waits. */
export type Script = readonly (Turn | (() => Turn))[];

/** Follows a script, independently of the API between the assistant and its model. */
export const scriptOf = (script: Script) => {
  const left = [...script];
  const results: string[] = [];
  let first: readonly string[] | undefined;
  let waiting: {readonly turn: Turn; readonly until: string; readonly calls: number} | undefined;
  const take = (tools: readonly string[]): Turn => {
    if (waiting && waiting.calls < MOST_CALLS && !tools.some(tool => tool.endsWith(waiting?.until ?? ''))) {
      waiting = {...waiting, calls: waiting.calls + 1};
      return waiting.turn;
    }
    const one = left.shift() ?? {text: 'The script is over.'};
    const turn = typeof one === 'function' ? one() : one;
    waiting = 'tool' in turn && turn.until !== undefined ? {turn, until: turn.until, calls: 1} : undefined;
    return turn;
  };
  return {
    /**
     * Returns the model's turn with the whole name of the tool. A request without tools (a title, a count of tokens)
     * is not part of the conversation: it gets a short text and uses up no turn.
     *
     * @param whole the tools whose descriptions the conversation carries; the others can only be searched for
     */
    next: (tools: readonly string[], whole = tools): Turn => {
      if (tools.length === 0) return {text: 'Hello'};
      first ??= whole;
      const turn = take(tools);
      if (!('tool' in turn)) return turn;
      const name = tools.find(tool => tool.endsWith(turn.tool));
      return name === undefined ? {text: `There is no ${turn.tool} among ${tools}`} : {...turn, tool: name};
    },
    /** Returns the tools that the first request of the conversation carried. */
    offered: (): readonly string[] => first ?? [],
    note: (result: unknown) => void results.push(JSON.stringify(result)),
    /** Returns the results of the tools as the assistant passed them to the model. */
    results: (): readonly string[] => results,
  };
};
