import type {Context} from '../domain/context.ts';
import {entriesOf, type McpEntry} from '../domain/mcp-servers.ts';
import type {Platform} from '../platform/platform.ts';
import {toolSetsOf} from '../platform/recognise.ts';

/**
 * The entries of a saved context. Its release is kept only where the control plane does not say it, so any other counts as
 * one that has the sets of the newest: an older one lists all its tools whatever it is asked for.
 */
export const savedEntriesOf = (context: Context, platform: Platform): readonly McpEntry[] =>
  entriesOf(context.name, context, platform, toolSetsOf(platform, context.release));
