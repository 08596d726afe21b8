/** What a model says next: it calls a tool whose name ends so, without arguments by default, or it is done. */
export type Turn = {readonly tool: string; readonly input?: object} | {readonly text: string};

/** Its turns; a function does something first, while the assistant waits. */
export type Script = readonly (Turn | (() => Turn))[];

/** Goes through a script, whichever API the assistant speaks with its model. */
export const scriptOf = (script: Script) => {
  const left = [...script];
  const results: string[] = [];
  return {
    /**
     * What the model says, the tool by its whole name. A request that offers no tool is none of the conversation (a
     * title, a count of tokens): it gets a word and uses up no turn.
     */
    next: (tools: readonly string[]): Turn => {
      if (tools.length === 0) return {text: 'Hello'};
      const one = left.shift() ?? {text: 'The script is over.'};
      const turn = typeof one === 'function' ? one() : one;
      if (!('tool' in turn)) return turn;
      const name = tools.find(tool => tool.endsWith(turn.tool));
      return name === undefined ? {text: `There is no ${turn.tool} among ${tools}`} : {...turn, tool: name};
    },
    note: (result: unknown) => void results.push(JSON.stringify(result)),
    /** What the tools gave back, as the assistant told the model. */
    results: (): readonly string[] => results,
  };
};
