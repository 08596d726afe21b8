import type {Context} from '../domain/context.ts';
import {entriesOf, type McpEntry} from '../domain/mcp-servers.ts';
import type {Platform} from '../platform/platform.ts';
import {toolSetsOf} from '../platform/recognise.ts';

/**
 * Returns the entries of a saved context. A context has a release only if the control plane itself does not report one.
 * Any other context gets the tool sets of the newest release: an older release lists all its tools, whatever is
 * requested.
 */
export const savedEntriesOf = (context: Context, platform: Platform): readonly McpEntry[] =>
  entriesOf(context.name, context, platform, toolSetsOf(platform, context.release));
