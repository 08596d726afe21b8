import type {McpServer} from '../../domain/mcp-servers.ts';
import {SetupError} from '../../errors/errors.ts';
import {parseJson} from '../../json.ts';
import type {Tool} from '../../mcp/client.ts';
import {SETUP} from '../../setup-command.ts';
import {cleanText} from '../../text.ts';

/** Arguments as a person gives them: words of the form `key=value`, beside an object that came from a file. */
export type ToolArguments = {readonly words: readonly string[]; readonly object?: Readonly<Record<string, unknown>>};

type Schema = {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

/**
 * The arguments of a tool, each word read as its schema wants it, and all of them checked against that.
 *
 * @param server whose tool it is, for the remedy
 * @throws SetupError `input-invalid` naming the argument
 */
export const readArguments = async (
  {name, inputSchema}: Tool,
  {words, object = {}}: ToolArguments,
  server: McpServer,
): Promise<Record<string, unknown>> => {
  const {properties = {}, required = []} = inputSchema as Schema;
  const typed = words.map(word => {
    const at = word.indexOf('=');
    if (at < 1) throw new SetupError('input-invalid', `“${word}” is not an argument. Write it as key=value.`);
    const key = word.slice(0, at);
    return [key, readValue(word.slice(at + 1), properties[key], key)] as const;
  });
  const args = {...object, ...Object.fromEntries(typed)};
  const stranger = Object.keys(args).find(key => !(key in properties));
  if (stranger !== undefined && Object.keys(properties).length > 0) {
    throw new SetupError('input-invalid', `${name} has no argument ${stranger}.`, {
      remedy: `It takes ${Object.keys(properties).join(', ')}.`,
    });
  }
  const remedy = `See ${SETUP} mcp tools ${server} ${name}.`;
  const missing = required.filter(key => !(key in args));
  if (missing.length > 0) {
    const what = `${missing.length === 1 ? 'the argument' : 'the arguments'} ${missing.join(' and ')}`;
    throw new SetupError('input-required', cleanText(`${name} needs ${what}.`), {remedy});
  }
  const {CfWorkerJsonSchemaValidator} = await import('@modelcontextprotocol/client/validators/cf-worker');
  // What came over the wire as JSON has no key that is there and undefined.
  const schema = inputSchema as Parameters<InstanceType<typeof CfWorkerJsonSchemaValidator>['getValidator']>[0];
  const result = new CfWorkerJsonSchemaValidator().getValidator(schema)(args);
  if (result.valid) return args;
  throw new SetupError('input-invalid', cleanText(refusal(name, result.errorMessage)), {remedy});
};

/**
 * The validator's complaint as a sentence. It tells of every level from the root down, as `#/where: what` with semicolons
 * between; the last one is the one that says something.
 */
const refusal = (tool: string, complaint: string): string => {
  const last = complaint.slice(Math.max(complaint.lastIndexOf('; #') + 2, 0)).slice(0, LONGEST);
  const [, where = '', what = last] = /^#(\/[^:]*)?: ([\s\S]*)$/.exec(last) ?? [];
  if (where === '') return `${tool} does not take these arguments: ${what}`;
  const argument = `the argument ${where.slice(1).replaceAll('/', '.')}`;
  const [given = '', types] = what.startsWith(TYPE) ? what.slice(TYPE.length, -'".'.length).split(EXPECTED, 2) : [];
  if (types !== undefined) return `${tool} takes ${argument} as ${types.replaceAll('", "', ' or ')}, not as ${given}.`;
  const [, values] = /^Instance does not match (?:any of )?\[?(.*?)\]?\.$/.exec(what) ?? [];
  if (values !== undefined && /^["\d]/.test(values)) {
    return `${tool} takes ${argument} only as one of ${values.replaceAll(',', ', ')}.`;
  }
  return `${tool} does not take ${argument}: ${what}`;
};

/** How the validator complains about the type of a value. */
const [TYPE, EXPECTED] = ['Instance type "', '" is invalid. Expected "'] as const;

/** More than a complaint that says something is long, in characters: it repeats the values, and the server's schema. */
const LONGEST = 2_000;

/** A word as the value that its schema wants: texts as they are, everything else as JSON. */
const readValue = (text: string, schema: Schema | undefined, key: string): unknown => {
  const types = [schema?.type].flat();
  if (schema === undefined || types.includes('string')) return text;
  try {
    return parseJson(text);
  } catch {
    if (types[0] === undefined) return text;
    throw new SetupError('input-invalid', `${key}=${text} is not of type ${types.join(' or ')}.`);
  }
};
