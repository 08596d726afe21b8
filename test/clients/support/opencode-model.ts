/** Settings of OpenCode’s, and of what is made of it, beside the file that was written: a model of one's own. */
export const scriptedModelAt = (url: string) => ({
  model: 'scripted/model',
  provider: {
    scripted: {
      npm: '@ai-sdk/anthropic',
      options: {baseURL: `${url}/v1`, apiKey: 'none'},
      models: {model: {name: 'model', tool_call: true}},
    },
  },
});
