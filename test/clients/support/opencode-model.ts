/** Settings of OpenCode and its derivatives, beside the written file: a custom model. */
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
