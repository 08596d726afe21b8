import {createHttp, createStreams} from '../../../../src/ports/network/http.ts';
import {routeBy} from '../../../support/route.ts';

// One call in a process of its own, which a test may stop: `call-process.ts KIND URL TIME`, with TIME in milliseconds
// for the whole call, or for the beginning of the answer if KIND is `stream`. Prints the answer or the error.
const [kind, address = '', time] = process.argv.slice(2);
const policy = {allowHttp: []};
const streams = createStreams({}, policy, routeBy(), {now: Date.now});
const http = createHttp(streams, policy, () => performance.now());
const url = new URL(address);
const {signal} = new AbortController();

const call = async (): Promise<string> => {
  if (kind !== 'stream') {
    const {body} = await http.send({method: 'GET', url, timeout: Number(time)}, {signal, report: () => {}});
    return body;
  }
  const reply = await streams.open({method: 'GET', url, headers: {}, headersTimeout: Number(time)}, signal);
  const chunks: Buffer[] = [];
  for await (const chunk of reply.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

process.stdout.write(await call().catch(error => String(error)));
