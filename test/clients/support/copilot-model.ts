/** One prompt, with every tool. */
export const talk = ['-p', 'Begin.', '--allow-all-tools'];

/** With a custom model Copilot needs no account for a conversation. It connects to servers only in a conversation. */
export const modelAt = (url: string) => ({
  COPILOT_PROVIDER_BASE_URL: url,
  COPILOT_PROVIDER_TYPE: 'anthropic',
  COPILOT_PROVIDER_API_KEY: 'none',
  COPILOT_MODEL: 'claude-sonnet-4',
  COPILOT_OFFLINE: 'true',
});
