import {parse} from 'yaml';
import {cleanText} from '../../text.ts';

type Named = {readonly name?: unknown; readonly url?: unknown; readonly controlplane?: unknown};

/** The current context of the CLI's YAML and the address of its control plane. Undefined for what is not such a file. */
export const readCliConfig = (text: string): {context?: string; url?: string} | undefined => {
  try {
    const {currentContext, contexts, controlplanes} = parse(text) as Readonly<Record<string, unknown>>;
    const context = byName(contexts, currentContext);
    const url = byName(controlplanes, context?.controlplane)?.url;
    return {
      ...(typeof currentContext === 'string' ? {context: cleanText(currentContext)} : {}),
      ...(typeof url === 'string' ? {url: cleanText(url)} : {}),
    };
  } catch {
    return undefined;
  }
};

const byName = (list: unknown, wanted: unknown): Named | undefined =>
  Array.isArray(list) ? list.find((one: Named | null) => one?.name === wanted) : undefined;
