import {describe, expect, test} from 'vitest';
import {closedOrigin} from '../../../support/server.ts';
import {client} from '../support/client.ts';
import {serveRaw} from '../support/listening.ts';
import {serveSocks} from '../support/socks-server.ts';
import {authority, serveTls} from '../support/tls-server.ts';

const api = 'https://api.acme.example/health';

const through = (proxy: string) => client({env: {https_proxy: proxy}, settings: authority});

const user = {name: 'ann', password: 's3cret'};

describe('a tunnel', () => {
  test.each(['socks5h', 'socks4a'])('of %s is asked for by name, which the proxy looks up', async scheme => {
    const proxy = await serveSocks({target: (await serveTls()).port});
    expect(await through(`${scheme}://127.0.0.1:${proxy.port}`).send(api)).toMatchObject({status: 200, body: 'OK'});
    expect(proxy).toMatchObject({asked: ['api.acme.example:443']});
    expect(proxy.count()).toBe(1);
  });

  test.each(['socks5', 'socks4', 'socks5h', 'socks4a'])(
    'of %s is asked for by an address that is one',
    async scheme => {
      const tls = await serveTls();
      const proxy = await serveSocks({target: tls.port});
      // The certificate is for another address.
      await expect(through(`${scheme}://127.0.0.1:${proxy.port}`).send('https://192.0.2.1:8443')).rejects.toMatchObject(
        {
          code: 'network-tls',
        },
      );
      expect(proxy.asked).toEqual(['192.0.2.1:8443']);
    },
  );

  test('of socks5 is asked for by an address of six groups', async () => {
    const proxy = await serveSocks({reply: 8});
    await expect(through(`socks5://127.0.0.1:${proxy.port}`).send('https://[2001:db8::1]/')).rejects.toMatchObject({
      message: expect.stringContaining('does not support the type of address of [2001:db8::1]:443.'),
    });
    expect(proxy.asked).toEqual(['[20010db8000000000000000000000001]:443']);
  });

  test.each(['socks5', 'socks4'])('of %s for a name that is not known here says so of the name', async scheme => {
    const proxy = await serveSocks({});
    const sent = through(`${scheme}://127.0.0.1:${proxy.port}`).send('https://no-such-host.invalid/');
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
    expect(await through(`socks5h://ann:s3cret@127.0.0.1:${proxy.port}`).send(api)).toMatchObject({body: 'OK'});
  });
});

describe('what a proxy says instead', () => {
  test.each([
    ['', 'requires a username and password.'],
    ['ann@', 'requires the password of ann.'],
    ['ann:wrong@', 'rejected the username and password.'],
  ])('to %j', async (proof, message) => {
    const proxy = await serveSocks({user});
    const failure = await through(`socks5h://${proof}127.0.0.1:${proxy.port}`)
      .send(api)
      .catch(error => error);
    const shown = proof === '' ? '' : 'ann@';
    expect(failure).toMatchObject({
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
    await expect(through(shown).send(api)).rejects.toMatchObject({code, message: `The proxy ${shown} ${message}`});
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
    await expect(through(shown).send(api)).rejects.toMatchObject({
      code: 'network-proxy',
      message: `The proxy ${shown} ${message}`,
    });
    await proxy.allClosed();
  });

  test('is there', async () => {
    const shown = (await closedOrigin()).replace('http', 'socks5');
    await expect(through(shown).send('https://192.0.2.1')).rejects.toMatchObject({
      code: 'network-proxy',
      message: `The proxy ${shown} is not running: nothing is listening there.`,
    });
  });

  test('says anything for longer than it may take', async () => {
    const proxy = await serveRaw(socket => void socket.resume());
    const shown = `socks5h://127.0.0.1:${proxy.port}`;
    const {streams, context} = through(shown);
    const patience = {name: 9_000, connect: 9_000, tunnel: 20, tls: 9_000};
    const call = streams.open({method: 'GET', url: new URL(api), headers: {}, patience}, context.signal);
    await expect(call).rejects.toMatchObject({
      code: 'network-proxy',
      message: `The proxy ${shown} did not open a connection in time.`,
    });
    await proxy.allClosed();
  });
});
