/** What a model says next: it calls a tool whose name ends so, without arguments by default, or it is done. */
export type Turn =
  | {
      readonly tool: string;
      readonly input?: object;
      /** The tool that is to be offered afterwards: until it is, the same is called again. */
      readonly until?: string;
    }
  | {readonly text: string};

/** How often a tool is called for another to be offered: for servers that connect meanwhile. */
const MOST_CALLS = 200;

/** Its turns; a function does something first, while the assistant waits. */
export type Script = readonly (Turn | (() => Turn))[];

/** Goes through a script, whichever API the assistant speaks with its model. */
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
     * What the model says, the tool by its whole name. A request that offers no tool is none of the conversation (a
     * title, a count of tokens): it gets a word and uses up no turn.
     *
     * @param whole those whose descriptions the conversation carries, where others are only searched for
     */
    next: (tools: readonly string[], whole = tools): Turn => {
      if (tools.length === 0) return {text: 'Hello'};
      first ??= whole;
      const turn = take(tools);
      if (!('tool' in turn)) return turn;
      const name = tools.find(tool => tool.endsWith(turn.tool));
      return name === undefined ? {text: `There is no ${turn.tool} among ${tools}`} : {...turn, tool: name};
    },
    /** The tools that the first request of the conversation carried. */
    offered: (): readonly string[] => first ?? [],
    note: (result: unknown) => void results.push(JSON.stringify(result)),
    /** What the tools gave back, as the assistant told the model. */
    results: (): readonly string[] => results,
  };
};
