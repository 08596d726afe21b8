import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import {answers, changed, json, page, redirects} from './answers.ts';
import {type Place, places} from './places.ts';

/**
 * Sequences that act on a terminal: the clipboard (OSC 52), a colour, C1, a bell, a carriage return, text that runs
 * backwards.
 */
export const poison = '\u001B]52;c;cm0gLXJm\u0007\u001B[31m\u009B2J\u009D0;x\u009C\r\b\u202Etxt\u2066\u2028';

/** Members on which a client acts: another value there would be another fault, and would not be shown. */
const kept =
  /_endpoint$|_uri$|_token$|^(issuer|resource|jsonrpc|protocolVersion|kid|kty|n|e|alg|use|id|type|token_type|scope|uid|.*(Id|Uid|ID|Cursor))$/;

/** Appends poison to every text in a value that may be shown. */
const poisoned = (value: unknown, key = ''): unknown => {
  if (typeof value === 'string') return kept.test(key) ? value : `${value}${poison}`;
  if (Array.isArray(value))
    return /_supported$|_servers$|^(required|enum)$/.test(key) ? value : value.map(one => poisoned(one, key));
  if (typeof value !== 'object' || value === null) return value;
  // A client sends the names in a schema.
  if (key === 'inputSchema' || key === 'outputSchema') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, poisoned(member, name)]));
};

/** Poisons JSON, and the JSON in an event stream. Any other body stays as it is. */
const poisonedBody = (body: string): string => {
  try {
    return JSON.stringify(poisoned(JSON.parse(body)));
  } catch {
    return body.replaceAll(
      /^data: (\{.*\})$/gm,
      (_, data: string) => `data: ${JSON.stringify(poisoned(JSON.parse(data)))}`,
    );
  }
};

const words = changed(answer => ({...answer, body: poisonedBody(answer.body)}));
const said = {error: poison, error_description: poison, message: poison, code: poison, title: poison};

/** Header values can contain C1 characters, which Node sends as raw bytes. */
const header = 'x\u009B31m\u009Dy';

const everywhere = (answer: Wrap) =>
  Object.fromEntries(Object.keys(places).map(place => [place, answer])) as {readonly [P in Place]: Wrap};

/** The answers of a platform that attacks the terminal on which they are shown. */
export const poisons: Readonly<Record<string, {readonly [P in Place]?: Wrap}>> = {
  'in what it says when all is well': everywhere(words),
  'in its refusals': everywhere(
    json(said, 400, {'WWW-Authenticate': `Bearer error="${header}", error_description="${header}"`}),
  ),
  'in its challenges': everywhere(json(said, 401, {'WWW-Authenticate': `Bearer error="${header}", scope="${header}"`})),
  'in plain text': everywhere(answers(403, poison, {'Content-Type': 'text/plain'})),
  'in the type of its answers': everywhere(answers(200, poison, {'Content-Type': `text/${header}`})),
  'in the title of a page': everywhere(page(200, {}, poison)),
  'in where it leads to': everywhere(redirects(302, () => `http://elsewhere.example/${header}`)),
  'in its failures': everywhere(json(said, 500, {'Retry-After': header})),
  'in the name of its issuer': {discovery: json({issuer: `http://idp.example/${poison}`, token_endpoint: poison})},
  'in whom it trusts': {
    metadata: json({resource: poison, authorization_servers: [`http://idp.example/${poison}`, poison]}),
  },
  'in the errors of its tools': {
    mcp: changed(({body, ...rest}) => ({
      ...rest,
      body: body.replaceAll(
        /"result":\{"(tools|content)".*\}/g,
        () => `"error":${JSON.stringify({...said, code: 1})}}`,
      ),
    })),
  },
};
