// Writes docs/platform-setup.schema.json, the JSON Schema of company files, from the schema that validates them.
import {writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import * as z from 'zod';
import {companySchema} from '../src/platform/company-schema.ts';

/** Returns the text of the schema file. */
export const companySchemaText = (): string =>
  `${JSON.stringify(z.toJSONSchema(companySchema, {io: 'input'}), null, 2)}\n`;

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  writeFileSync(new URL('../docs/platform-setup.schema.json', import.meta.url), companySchemaText());
}
