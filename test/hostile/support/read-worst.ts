// Reads documents that try to reach the prototype of all objects, with every reader of foreign text. This is a
// program of its own, because it may freeze that prototype: `node read-worst.ts frozen`. It prints what went wrong,
// as JSON.
import {parseValues} from '../../../src/assistants/editors/parse-values.ts';
import {json, toml, yamlList, yamlMap} from '../../../src/assistants/formats/formats.ts';
import {payloadOf} from '../../../src/domain/tokens.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import {judgeText} from '../../../src/flows/deployment/find-company-file.ts';
import {readJson, reasonIn} from '../../../src/flows/http-answers.ts';
import {readCliValues} from '../../../src/flows/own-cli/cli-file.ts';
import {isRefusal} from '../../../src/flows/sign-in/oauth-fetch.ts';
import {hasNoNonce, tokensIn} from '../../../src/flows/sign-in/token-response.ts';
import type {HttpReply} from '../../../src/ports/ports.ts';

const inToml = [
  '[__proto__]\npolluted = "x"\n',
  '["__proto__"]\npolluted = "x"\n',
  '[__proto__.__proto__]\npolluted = "x"\n',
  '[[__proto__]]\npolluted = "x"\n',
  '[constructor.prototype]\npolluted = "x"\n',
  '__proto__.polluted = "x"\n',
  'a.__proto__.polluted = "x"\n',
  'a = {__proto__ = {polluted = "x"}}\n',
  'a = {__proto__.polluted = "x"}\n',
  '[servers.__proto__]\npolluted = "x"\n',
  '[servers.a.__proto__]\npolluted = "x"\n',
  '[servers.acme.env.__proto__]\npolluted = "x"\n',
  '[servers.constructor.prototype]\npolluted = "x"\n',
  '[servers]\n__proto__ = {polluted = "x"}\nacme = {command = "y"}\n',
  '[a]\nb = 1\n[a.__proto__]\npolluted = "x"\n',
];

const inJson = [
  '{"__proto__":{"polluted":"x"}}',
  '{"a":{"__proto__":{"polluted":"x"}}}',
  '{"constructor":{"prototype":{"polluted":"x"}}}',
  '{"servers":{"__proto__":{"polluted":"x"}}}',
  '{"servers":{"acme":{"env":{"__proto__":{"polluted":"x"}}}}}',
  '{"servers":{"constructor":{"prototype":{"polluted":"x"}}}}',
  '{/* read by another parser */"__proto__":{"polluted":"x"},"servers":{"a":{"__proto__":{"polluted":"x"}}}}',
  '{"error":{"__proto__":{"polluted":"x"}},"id_token":{"__proto__":{"polluted":"x"}}}',
  '{"__proto__":null,"error":null}',
  '{"access_token":{},"id_token":[{}],"code":{"toString":1},"message":{"__proto__":{"polluted":"x"}}}',
];

const inYaml = [
  '__proto__:\n  polluted: x\n',
  '"__proto__": {polluted: x}\n',
  'a:\n  __proto__:\n    polluted: x\n',
  '? __proto__\n: {polluted: x}\n',
  'constructor: {prototype: {polluted: x}}\n',
  'servers:\n  __proto__:\n    polluted: x\n',
  'servers:\n  acme: {env: {__proto__: {polluted: x}}}\n',
  'servers:\n  - name: __proto__\n    polluted: x\n',
  'servers:\n  - {name: a, __proto__: {polluted: x}}\n',
  'base: &base {__proto__: {polluted: x}}\nservers:\n  a: {<<: *base}\n',
  'contexts:\n  - name: __proto__\n    polluted: x\ncurrentContext: __proto__\n',
];

const acme = {acme: {command: 'node', args: ['serve'], env: {A: 'b'}}};

const edit = async (format: ReturnType<typeof json>, text: string) => {
  const editor = await format.editor();
  const made = editor.made(text, 'file');
  const entries = editor.read(text, 'file');
  for (const name of ['__proto__', 'constructor', 'acme']) hasOnlyItsOwn(entries[name]);
  const after = editor.set(text, acme, 'file');
  editor.remove(after, ['acme', '__proto__'], 'file', made);
  editor.mask(after, ['acme', '__proto__', 'constructor'], ['command', '__proto__']);
};

/** Checks that the value has no member that was not in the document. */
const hasOnlyItsOwn = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== null) throw new Error('An object inherits members.');
  for (const inner of Object.values(value)) hasOnlyItsOwn(inner);
};

const replyOf = (body: string) => ({status: 400, header: () => 'application/json', body}) as unknown as HttpReply;

const readers: readonly (readonly [string, readonly string[], (text: string) => unknown])[] = [
  ['TOML of an assistant', inToml, text => edit(toml('servers'), text)],
  ['JSON of an assistant', inJson, text => edit(json('servers'), text)],
  ['YAML of an assistant', inYaml, text => edit(yamlMap('servers'), text)],
  ['YAML of an assistant, as a list', inYaml, text => edit(yamlList('servers', ''), text)],
  ['settings in TOML', inToml, text => hasOnlyItsOwn(parseValues(text, 'TOML'))],
  ['settings in JSON', inJson, text => hasOnlyItsOwn(parseValues(text, 'JSON'))],
  ['a JWT', inJson, text => hasOnlyItsOwn(payloadOf(`e30.${Buffer.from(text).toString('base64url')}.`))],
  ['an answer', inJson, text => hasOnlyItsOwn(readJson(replyOf(text), new URL('https://idp.example')))],
  ['an error', inJson, text => reasonIn(replyOf(text))],
  ['an OAuth error', inJson, isRefusal],
  ['a token response', inJson, text => [tokensIn(text), hasNoNonce(text)]],
  ['a company file', inJson, async text => hasOnlyItsOwn((await judgeText(text, 'file', '1.0.0')).json)],
  ['the platform’s own CLI', inYaml, readCliValues],
];

const builtIn = new Set(Reflect.ownKeys(Object.prototype));
const wrong: string[] = [];
// Modules are loaded first, because one may write to the prototype when it is loaded.
for (const [, [text = ''], read] of readers) await Promise.resolve(read(text)).catch(() => {});
if (process.argv[2] === 'frozen') Object.freeze(Object.prototype);
for (const [name, texts, read] of readers) {
  for (const text of texts) {
    try {
      await read(text);
    } catch (error) {
      if (!(error instanceof SetupError)) wrong.push(`${name}: ${JSON.stringify(text)}: ${error}`);
    }
    for (const key of Reflect.ownKeys(Object.prototype)) {
      if (builtIn.has(key)) continue;
      wrong.push(`${name}: ${JSON.stringify(text)} gives every object a member ${String(key)}`);
      Reflect.deleteProperty(Object.prototype, key);
    }
  }
}
process.stdout.write(JSON.stringify(wrong));
