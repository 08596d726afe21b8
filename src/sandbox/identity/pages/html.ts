/** Text that is already HTML. Only the `html` tag makes it. */
export type Html = {readonly html: string};

type Value = string | Html | readonly Html[];

/** Builds HTML from a template. Every string that is put in is escaped, for text and for quoted attributes alike. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: parts.map((part, index) => part + render(values[index] ?? '')).join(''),
});

const render = (value: Value): string => {
  if (typeof value === 'string') return escaped(value);
  return 'html' in value ? value.html : value.map(render).join('');
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replace(/[&<>"']/g, character => entities[character] ?? character);
