import {bundled} from '../../platform/bundled.ts';
import {html} from '../identity/pages/html.ts';
import {sendPage} from '../identity/pages/page.ts';
import {atPath} from './at-path.ts';
import type {Effect} from './effect.ts';

/** A web application answers every path that it does not know with its own first page. */
const application = atPath(
  bundled.paths.mcp,
  () => (_, response) =>
    sendPage(response, 200, {title: 'Developer console', body: html`<h1>Developer console</h1><p>Loading…</p>`}),
);

export const mcpHtml: Effect = {before: {'control-plane': application, observer: application}};
