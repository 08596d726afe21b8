/** The look of the provider's pages: system fonts and colours, light and dark, from phone to desk. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#f4f5f7, #14161a);
  --card: light-dark(#ffffff, #1d2026);
  --text: light-dark(#1a1d23, #e8eaed);
  --muted: light-dark(#5a6270, #a3abb8);
  --line: light-dark(#d5d9e0, #383e48);
  --field: light-dark(#ffffff, #14161a);
  --accent: light-dark(#1d4ed8, #8ab4ff);
  --on-accent: light-dark(#ffffff, #0d1524);
  --alarm: light-dark(#a3161f, #ffb3b0);
  --alarm-back: light-dark(#fdecec, #3a1d1f);
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; align-items: center; justify-content: center;
  padding: 1.5rem 1rem; background: var(--canvas); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main {
  width: 100%; padding: 2rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 0.75rem;
}
.narrow { max-width: 25rem; }
.wide { max-width: 64rem; align-self: flex-start; }
h1 { margin: 0 0 0.25rem; font-size: 1.375rem; line-height: 1.3; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.0625rem; }
p { margin: 0 0 1rem; }
.muted { color: var(--muted); }
label { display: block; margin: 1rem 0 0.25rem; font-weight: 600; }
input {
  width: 100%; padding: 0.625rem 0.75rem; font: inherit; color: inherit;
  background: var(--field); border: 1px solid var(--muted); border-radius: 0.375rem;
}
button {
  width: 100%; margin-top: 1.5rem; padding: 0.6875rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: 0.375rem;
}
button.quiet { width: auto; margin: 0; padding: 0.375rem 0.75rem; color: var(--text); background: none; border-color: var(--line); }
button + button.quiet { margin-top: 0.75rem; width: 100%; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role="alert"] {
  margin: 1rem 0 0; padding: 0.625rem 0.75rem; color: var(--alarm); background: var(--alarm-back);
  border: 1px solid currentcolor; border-radius: 0.375rem;
}
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; justify-content: space-between; }
.copy { margin: 1.5rem 0 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--canvas); }
.copy p { margin: 0; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.9375em; user-select: all; overflow-wrap: anywhere; }
.copy code { display: block; margin: 0.25rem 0; font-size: 1.125rem; font-weight: 600; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.625rem 0.75rem 0.625rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-size: 0.875rem; }
tbody th { font-size: 1rem; }
@media (max-width: 44rem) {
  body { align-items: flex-start; }
  main { padding: 1.5rem 1.25rem; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: block; padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  th, td { display: block; padding: 0.125rem 0; border: 0; }
  td[data-label]::before { content: attr(data-label); display: block; color: var(--muted); font-size: 0.875rem; }
  td code { font-size: 0.8125rem; }
}
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;
