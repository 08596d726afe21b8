import {connect} from 'node:net';
import {describe, expect, test} from 'vitest';
import {closedOrigin} from '../../support/server.ts';
import {worded} from '../../support/worded.ts';
import {client} from './support/client.ts';
import {type HttpProxy, serveProxy} from './support/http-proxy.ts';
import {serveRaw} from './support/listening.ts';
import {serveSocks} from './support/socks-server.ts';
import {authority, pem, serveTls} from './support/tls-server.ts';

const api = 'https://api.acme.example/health';

/** Makes a call through a proxy of the environment, with the tests' authority trusted. */
const through = (proxy: string) => client({env: {https_proxy: proxy}, settings: authority});

const at = ({port}: {port: number}, user = '') => `http://${user}127.0.0.1:${port}`;

describe('a tunnel', () => {
  test('is asked for by name and port, and what answers in it is the server', async () => {
    const proxy = await serveProxy({target: (await serveTls()).port});
    expect(await through(at(proxy)).send(api)).toMatchObject({status: 200, body: 'OK'});
    expect(proxy).toMatchObject({asked: ['CONNECT api.acme.example:443'], proofs: [undefined]});
  });

  test('is asked for with username and password as they were meant', async () => {
    const proxy = await serveProxy({target: (await serveTls()).port});
    await through(at(proxy, 'ann%40acme:p%2Fw%C3%BC@')).send(api);
    expect(proxy.proofs).toEqual([`Basic ${Buffer.from('ann@acme:p/wü').toString('base64')}`]);
  });

  test('is asked for with a password alone', async () => {
    const proxy = await serveProxy({target: (await serveTls()).port});
    await through(at(proxy, ':pw@')).send(api);
    expect(proxy.proofs).toEqual([`Basic ${Buffer.from(':pw').toString('base64')}`]);
  });

  test('is one however the proxy’s answer comes in', async () => {
    const tls = await serveTls();
    const proxy = await serveProxy({
      answer: one => {
        const upstream = connect(tls.port, '127.0.0.1', () => {
          one.write('HTTP/1.1 200 Conn');
          setImmediate(() => one.write('ection Established\r\nContent-Length: 5\r\n\r\n'));
          upstream.pipe(one).pipe(upstream);
        });
      },
    });
    expect(await through(at(proxy)).send(api)).toMatchObject({body: 'OK'});
  });

  test('leads to no one who is trusted more than without it', async () => {
    const proxy = await serveProxy({target: (await serveTls({cert: pem('behind-proxy.crt')})).port});
    await expect(through(at(proxy)).send(api)).rejects.toMatchObject({
      code: 'network-tls',
      message: expect.stringMatching('^https://api.acme.example could not be trusted: its certificate is self-signed'),
    });
    await proxy.allClosed();
  });

  test('can be asked for over https, where the proxy is trusted by the kept authority', async () => {
    const proxy = await serveProxy({target: (await serveTls()).port, certificate: 'issued.crt'});
    const reply = await through(`https://ann:pw@proxy.acme.localhost:${proxy.port}`).send(api);
    expect(reply).toMatchObject({body: 'OK'});
    expect(proxy.asked).toEqual(['CONNECT api.acme.example:443']);
  });
});

const says = (line: string, headers = '', body = '') => `HTTP/1.1 ${line}\r\n${headers}\r\n${body}`;

describe('what a proxy answers instead', () => {
  test.each([
    [says('407 Proxy Authentication Required'), '', 'network-proxy-sign-in', 'requires a username and password (407).'],
    [says('407 Who?'), 'ann@', 'network-proxy-sign-in', 'requires the password of ann (407).'],
    [
      says('407 Proxy Authentication Required', 'Proxy-Authenticate: Basic realm="Negotiate"\r\n'),
      'ann:s3cret@',
      'network-proxy-sign-in',
      'rejected the username and password (407).',
    ],
    [
      says('407 Who?', 'Proxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\n'),
      'ann:s3cret@',
      'network-proxy-sign-in',
      'requires Negotiate or NTLM, which platform-setup does not support (407).',
    ],
    [
      says('403 Forbidden', 'Content-Type: text/html\r\n', '<html>'),
      '',
      'network-proxy-denied',
      'does not let calls through to api.acme.example:443 (403).',
    ],
    [says('502 Bad Gateway'), '', 'network-proxy', 'could not reach api.acme.example:443 (502).'],
    [says('503 No'), '', 'network-proxy', 'could not reach api.acme.example:443 (503).'],
    [says('504 No'), '', 'network-proxy', 'could not reach api.acme.example:443 (504).'],
    [
      says('302 Found', 'Location: http://login.example/\r\n'),
      '',
      'network-proxy',
      'could not connect to api.acme.example:443: it answered 302.',
    ],
    ['SSH-2.0-OpenSSH_9.6\r\n', '', 'network-proxy', 'does not speak http.'],
    ['', '', 'network-proxy', 'closed the connection (ECONNRESET).'],
  ])('%j', async (answer, user, code, message) => {
    const proxy = await serveProxy({answer});
    const {send, events} = through(at(proxy, user));
    const failure = await send(api).catch(error => error);
    const shown = at(proxy, user === '' ? '' : 'ann@');
    expect(failure).toMatchObject({code, message: `The proxy ${shown} ${message}`});
    expect(events.at(-1)).toMatchObject({type: 'call-failed', url: api, curl: `curl ${api}`});
    expect(everythingIn(failure, events)).not.toContain('s3cret');
    await proxy.allClosed();
  });

  test('a page as if it were the tunnel', async () => {
    const proxy = await serveProxy({answer: says('200 OK', 'Content-Type: text/html\r\n', '<html>Sign in</html>')});
    await expect(worded(through(at(proxy)).send(api))).rejects.toMatchObject({
      code: 'network-proxy',
      message: `The proxy ${at(proxy)} let the call through to api.acme.example:443, but the answer from there is not https.`,
      remedy: expect.stringContaining('Open https://api.acme.example in a browser'),
    });
    await proxy.allClosed();
  });

  test('a tunnel that ends at once is the server’s closed connection', async () => {
    const proxy = await serveProxy({answer: says('200 OK')});
    await expect(through(at(proxy)).send(api)).rejects.toMatchObject({code: 'network-reset'});
    await proxy.allClosed();
  });

  test('nothing, for longer than a proxy may take', async () => {
    const proxy = await serveProxy({answer: one => void one.resume().on('end', () => one.destroy())});
    const {streams, context} = through(at(proxy));
    const timeouts = {name: 9_000, connect: 9_000, tunnel: 20, tls: 9_000};
    const call = streams.open({method: 'GET', url: new URL(api), headers: {}, timeouts}, context.signal);
    await expect(call).rejects.toMatchObject({
      code: 'network-proxy',
      message: `The proxy ${at(proxy)} did not open a connection in time.`,
    });
    await proxy.allClosed();
  });
});

describe('a proxy that cannot be spoken to', () => {
  test('is not there', async () => {
    const proxy = await closedOrigin();
    await expect(through(proxy).send(api)).rejects.toMatchObject({
      code: 'network-proxy',
      message: `The proxy ${proxy} is not running: nothing is listening there.`,
    });
  });

  test('has a name that nobody knows', async () => {
    await expect(through('http://ann:s3cret@no-such-host.invalid:1').send(api)).rejects.toMatchObject({
      code: 'network-proxy',
      message: 'The proxy http://ann@no-such-host.invalid:1 could not be resolved.',
    });
  });

  test('closes every connection', async () => {
    const proxy = await serveRaw(socket => socket.destroy());
    await expect(through(at(proxy)).send(api)).rejects.toMatchObject({
      code: 'network-proxy',
      message: expect.stringMatching(/closed the connection \((ECONNRESET|EPIPE)\)\.$/),
    });
  });

  test('is not the one of its certificate, and nothing is asked of it', async () => {
    const proxy = await serveProxy({certificate: 'self-signed.crt'});
    const shown = `https://proxy.acme.localhost:${proxy.port}`;
    await expect(through(shown).send(api)).rejects.toMatchObject({
      code: 'network-tls',
      message: expect.stringMatching(`^The proxy ${shown} could not be trusted: `),
      about: {},
    });
    expect(proxy.asked).toEqual([]);
    await proxy.allClosed();
  });

  test('speaks http where https was said', async () => {
    const proxy = await serveProxy({});
    await expect(through(`https://127.0.0.1:${proxy.port}`).send(api)).rejects.toMatchObject({
      code: 'network-proxy',
      message: `The proxy https://127.0.0.1:${proxy.port} does not speak https.`,
    });
  });

  test('speaks https where http was said', async () => {
    const proxy = await serveTls();
    await expect(through(at(proxy)).send(api)).rejects.toMatchObject({code: 'network-proxy'});
  });
});

test('a proxy that is kept is asked with the password of the record', async () => {
  const proxy: HttpProxy = await serveProxy({target: (await serveTls()).port});
  const kept = at(proxy, 'ann@');
  const settings = {...authority, proxy: {https: kept}};
  const {send} = client({settings, passwords: {[kept]: 'kept pw'}});
  await send(api);
  expect(proxy.proofs).toEqual([`Basic ${Buffer.from('ann:kept pw').toString('base64')}`]);
});

/** Returns the text of an error with its causes and all their members, and of the events of the call. */
const everythingIn = (error: Error, events: readonly unknown[]): string => {
  const parts = [JSON.stringify(events)];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    parts.push(at.message, at.stack ?? '', JSON.stringify(at));
  }
  return parts.join('\n');
};

const bySocks = (proxy: string) => client({env: {https_proxy: proxy}, settings: authority});

const user = {name: 'ann', password: 's3cret'};

describe('a tunnel', () => {
  test.each(['socks5h', 'socks4a'])('of %s is asked for by name, which the proxy looks up', async scheme => {
    const proxy = await serveSocks({target: (await serveTls()).port});
    expect(await bySocks(`${scheme}://127.0.0.1:${proxy.port}`).send(api)).toMatchObject({status: 200, body: 'OK'});
    expect(proxy).toMatchObject({asked: ['api.acme.example:443']});
    expect(proxy.count()).toBe(1);
  });

  test.each(['socks5', 'socks4', 'socks5h', 'socks4a'])(
    'of %s is asked for by an address that is one',
    async scheme => {
      const tls = await serveTls();
      const proxy = await serveSocks({target: tls.port});
      // The certificate is for another address.
      await expect(bySocks(`${scheme}://127.0.0.1:${proxy.port}`).send('https://192.0.2.1:8443')).rejects.toMatchObject(
        {
          code: 'network-tls',
        },
      );
      expect(proxy.asked).toEqual(['192.0.2.1:8443']);
    },
  );

  test('of socks5 is asked for by an address of six groups', async () => {
    const proxy = await serveSocks({reply: 8});
    await expect(bySocks(`socks5://127.0.0.1:${proxy.port}`).send('https://[2001:db8::1]/')).rejects.toMatchObject({
      message: expect.stringContaining('does not support the type of address of [2001:db8::1]:443.'),
    });
    expect(proxy.asked).toEqual(['[20010db8000000000000000000000001]:443']);
  });

  test.each(['socks5', 'socks4'])('of %s for a name that is not known here says so of the name', async scheme => {
    const proxy = await serveSocks({});
    const sent = bySocks(`${scheme}://127.0.0.1:${proxy.port}`).send('https://no-such-host.invalid/');
    await expect(sent).rejects.toMatchObject({
      code: 'network-name-not-found',
      message: 'no-such-host.invalid could not be resolved (https://no-such-host.invalid).',
    });
    expect(proxy.count()).toBe(0);
  });

  test('carries plain http as well', async () => {
    const {port} = await serveRaw(socket => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK'));
    const proxy = await serveSocks({target: port});
    const {send} = client({env: {http_proxy: `socks5h://127.0.0.1:${proxy.port}`}});
    expect(await send('http://api.acme.example/')).toMatchObject({body: 'OK'});
    expect(proxy.asked).toEqual(['api.acme.example:80']);
  });

  test('is opened for who has the password', async () => {
    const proxy = await serveSocks({target: (await serveTls()).port, user});
    expect(await bySocks(`socks5h://ann:s3cret@127.0.0.1:${proxy.port}`).send(api)).toMatchObject({body: 'OK'});
  });
});

describe('what a proxy says instead', () => {
  test.each([
    ['', 'requires a username and password.'],
    ['ann@', 'requires the password of ann.'],
    ['ann:wrong@', 'rejected the username and password.'],
  ])('to %j', async (proof, message) => {
    const proxy = await serveSocks({user});
    const failure = await bySocks(`socks5h://${proof}127.0.0.1:${proxy.port}`)
      .send(api)
      .catch(error => error);
    const shown = proof === '' ? '' : 'ann@';
    expect(worded(failure)).toMatchObject({
      code: 'network-proxy-sign-in',
      message: `The proxy socks5h://${shown}127.0.0.1:${proxy.port} ${message}`,
      remedy: expect.stringContaining(`--proxy socks5h://USER:PASSWORD@127.0.0.1:${proxy.port}.`),
    });
    expect(JSON.stringify([failure, failure.cause, failure.cause.message])).not.toContain('wrong');
    await proxy.allClosed();
  });

  test.each([
    ['socks5h', 1, 'network-proxy', 'could not reach api.acme.example:443.'],
    ['socks5h', 2, 'network-proxy-denied', 'does not let calls through to api.acme.example:443.'],
    ['socks5h', 3, 'network-proxy', 'has no route to the network of api.acme.example:443.'],
    ['socks5h', 4, 'network-proxy', 'has no route to api.acme.example:443.'],
    ['socks5h', 5, 'network-proxy', 'found nothing listening at api.acme.example:443.'],
    ['socks5h', 99, 'network-proxy', 'could not reach api.acme.example:443.'],
    ['socks4a', 91, 'network-proxy', 'could not reach api.acme.example:443.'],
  ])('%s with %i', async (scheme, reply, code, message) => {
    const proxy = await serveSocks({reply});
    const shown = `${scheme}://127.0.0.1:${proxy.port}`;
    await expect(bySocks(shown).send(api)).rejects.toMatchObject({code, message: `The proxy ${shown} ${message}`});
    await proxy.allClosed();
  });
});

describe('no SOCKS proxy', () => {
  test.each([
    ['something else', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'does not speak socks5h.'],
    ['nonsense in the middle', '\u0005\u0000\u0004\u0000\u0000\u0001\u0000', 'does not speak socks5h.'],
    ['a way to sign in that nobody asked for', '\u0005\u0001', 'does not speak socks5h.'],
    ['nothing', '', 'closed the connection.'],
  ])('%s', async (_name, answer, message) => {
    const proxy = await serveRaw(socket => void socket.resume().end(answer));
    const shown = `socks5h://127.0.0.1:${proxy.port}`;
    await expect(bySocks(shown).send(api)).rejects.toMatchObject({
      code: 'network-proxy',
      message: `The proxy ${shown} ${message}`,
    });
    await proxy.allClosed();
  });

  test('is there', async () => {
    const shown = (await closedOrigin()).replace('http', 'socks5');
    await expect(bySocks(shown).send('https://192.0.2.1')).rejects.toMatchObject({
      code: 'network-proxy',
      message: `The proxy ${shown} is not running: nothing is listening there.`,
    });
  });

  test('says anything for longer than it may take', async () => {
    const proxy = await serveRaw(socket => void socket.resume());
    const shown = `socks5h://127.0.0.1:${proxy.port}`;
    const {streams, context} = bySocks(shown);
    const timeouts = {name: 9_000, connect: 9_000, tunnel: 20, tls: 9_000};
    const call = streams.open({method: 'GET', url: new URL(api), headers: {}, timeouts}, context.signal);
    await expect(call).rejects.toMatchObject({
      code: 'network-proxy',
      message: `The proxy ${shown} did not open a connection in time.`,
    });
    await proxy.allClosed();
  });
});
