import type {CallbackPage} from './callback.ts';

/** Escapes a text for HTML. */
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, character => `&#${character.codePointAt(0)};`);

const style = `
:root { color-scheme: light dark; --good: light-dark(#1a7f37, #3fb950); --bad: light-dark(#b42318, #f85149) }
body { font: 1.0625rem/1.5 system-ui, sans-serif; margin: 0; display: grid; min-height: 100vh; place-items: center;
  background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #e6edf3) }
main { max-width: 34rem; padding: 1.5rem; border-left: .25rem solid var(--mood); margin: 1rem }
h1 { font-size: 1.375rem; margin: 0 0 .5rem; text-wrap: balance }
p { margin: 0 0 .75rem; overflow-wrap: anywhere }
p:last-child { margin: 0; font-weight: 600 }
`;

/** Renders the page as HTML. It loads nothing, runs nothing and repeats nothing of the request. */
export const renderPage = ({title, text, next, mood}: CallbackPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}:root { --mood: var(--${mood}) }</style>
</head>
<body>
<main${mood === 'bad' ? ' role="alert"' : ''}>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p>${escapeHtml(next)}</p>
</main>
</body>
</html>
`;

/** The headers of every answer: no caching, no referrer, no framing, no script, nothing from other origins. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
