import {parse} from 'yaml';
import {z} from 'zod';
import type {Platform} from '../platform/platform.ts';
import {externalClientValues} from '../platform/role-binding.ts';

/**
 * Thrown if the options of a sandbox cannot be used. The message is a sentence for the person or program that set them.
 */
export class SandboxInputError extends Error {
  override readonly name = 'SandboxInputError';
}

/** Returns the control plane's configuration values that a sandbox starts with (platform access 2.4). */
export const defaultValues = (platform: Platform): string => externalClientValues(platform, platform.cliClient);

const text = z.string('is not a text').min(1, 'is empty');
const mapping = 'is missing, or not a mapping';

const client = z.object({name: text, client_id: text, scopes: z.array(text, 'is not a list')}, mapping);

const schema = z.object(
  {
    security: z.object(
      {oidc: z.object({externalClients: z.array(client, 'is not a list').min(1, 'names no client')}, mapping)},
      mapping,
    ),
  },
  'is not a mapping',
);

/** A public client that the control plane names to CLIs. */
export type ChartClient = z.infer<typeof schema>['security']['oidc']['externalClients'][number];

/** Reads `security.oidc.externalClients` from values (YAML). Throws SandboxInputError. */
export const externalClientsOf = (values: string): readonly ChartClient[] => {
  const result = schema.safeParse(parsed(values));
  if (result.success) return result.data.security.oidc.externalClients;
  const [{path, message} = {path: [], message: 'cannot be read'}] = result.error.issues;
  throw new SandboxInputError(`The values cannot be used: ${path.join('.') || 'their content'} ${message}.`);
};

/** The largest values, in characters: the time to parse them grows with the square of the size. */
const LARGEST = 128 * 1024;

const parsed = (values: string): unknown => {
  if (values.length > LARGEST) throw new SandboxInputError('The values are larger than 128 KiB.');
  try {
    return parse(values, {logLevel: 'error'});
  } catch (error) {
    // The first line says what is wrong and where; the following lines quote the place.
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n', 1);
    throw new SandboxInputError(`The values are not YAML: ${reason.replace(/[:.]$/, '')}.`, {cause: error});
  }
};
