import { describe, expect, it } from 'vitest';
import { isLoopback, proxyFor } from '../../src/plugin/proxies.ts';
import { proxiesIn } from '../../src/plugin/proxy-settings.ts';

describe('proxiesIn', () => {
  it('prefers the variables in lower case, and leaves out what is empty', () => {
    expect(proxiesIn({ HTTP_PROXY: 'http://a:1', http_proxy: 'http://b:2', NO_PROXY: '.corp' })).toEqual({
      http: 'http://b:2',
      https: '',
      except: '.corp',
    });
    expect(proxiesIn({ http_proxy: '', HTTPS_PROXY: ' http://c:3 ' })).toMatchObject({ http: '', https: 'http://c:3' });
    expect(proxiesIn({ NO_PROXY: '*', HTTP_PROXY: '' })).toBeUndefined();
    const all = { ALL_PROXY: 'http://d:4', http_proxy: 'http://b:2' };
    expect(proxiesIn(all)).toMatchObject({ http: 'http://b:2', https: 'http://d:4' });
    expect(proxiesIn({ all_proxy: 'socks5://127.0.0.1:9050' })).toBeUndefined();
  });
});

describe('proxyFor', () => {
  const proxies = { http: 'http://plain.corp:3128', https: 'user:pass@secure.corp:3129', except: '' };
  const through = (url: string, except = ''): string | undefined =>
    proxyFor(new URL(url), { ...proxies, except })?.host;

  it('chooses by the scheme of the server, and takes a proxy without a scheme for HTTP', () => {
    expect(through('http://llm.example/v1')).toBe('plain.corp:3128');
    expect(through('https://llm.example/v1')).toBe('secure.corp:3129');
    expect(proxyFor(new URL('https://llm.example'), proxies)?.username).toBe('user');
    expect(proxyFor(new URL('http://llm.example'), { ...proxies, http: '' })).toBeNull();
    expect(proxyFor(new URL('http://llm.example'), undefined)).toBeNull();
  });

  it.each(['http://localhost:1', 'http://127.0.0.9', 'https://[::1]:8080', 'http://0.0.0.0:11434'])(
    'connects to this machine directly: %s',
    (url) => expect(through(url)).toBeUndefined(),
  );

  it.each([
    ['http://gpu.corp:8000', 'corp'],
    ['http://gpu.corp:8000', '.corp'],
    ['http://gpu.corp:8000', '*.corp'],
    ['http://gpu.corp:8000', 'other.example, GPU.CORP:8000'],
    ['https://gpu.corp', 'gpu.corp:443'],
    ['http://10.1.2.3', '192.168.0.0/16 10.0.0.0/8'],
    ['http://10.1.2.3', '10.1.2.3'],
    ['http://[fd00::5]:80', 'fd00::/8'],
    ['http://[fd00::5]:80', '[fd00::5]:80'],
    ['http://anything.example', '*'],
  ])('connects to %s directly if NO_PROXY is %j', (url, except) => expect(through(url, except)).toBeUndefined());

  it.each([
    ['http://gpu.corp:8000', 'gpu.corp:9000'],
    ['http://notcorp:8000', 'corp'],
    ['http://10.1.2.3', '11.0.0.0/8'],
    ['http://10.1.2.3', '2.3'],
    ['http://gpu.corp', '10.0.0.0/99, , nonsense/8'],
  ])('does not connect to %s directly if NO_PROXY is %j', (url, except) => {
    expect(through(url, except)).toBe('plain.corp:3128');
  });

  it('names the variable whose value is no HTTP proxy, without its password', () => {
    const bad = { http: 'socks5://me:secret@127.0.0.1:9050', https: 'http://', except: '' };
    expect(() => proxyFor(new URL('http://llm.example'), bad)).toThrow(/^HTTP_PROXY names no HTTP proxy: socks5:/);
    expect(() => proxyFor(new URL('https://llm.example'), bad)).toThrow(
      /^HTTPS_PROXY names no HTTP proxy: it is no URL/,
    );
  });
});

describe('isLoopback', () => {
  it.each([
    'http://localhost',
    'http://LOCALHOST.:8080/x',
    'imaps://LocalHost/inbox',
    'http://127.0.0.1:11434',
    'http://127.1.2.3',
    'http://0x7f.1',
    'http://2130706433',
    'http://[::1]:6333',
    'http://[0:0:0:0:0:0:0:1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7fff:ffff]',
    'https://user:password@localhost',
  ])('recognises %s as this machine', (address) => {
    expect(isLoopback(address)).toBe(true);
  });

  it.each([
    'http://example.org',
    'http://localhost.example.org',
    'http://127.0.0.1.example.org',
    'http://127.0.0.1@example.org',
    'http://0.0.0.0',
    'http://192.168.0.1',
    'http://[2001:db8::1]',
    'http://[::ffff:7f0:808]',
    'http://[::ffff:7f:1]',
    'http://[::ffff:8000:1]',
    'http://[::7f00:1]',
    'http://[::]',
    'localhost',
    '',
  ])('does not recognise %s as this machine', (address) => {
    expect(isLoopback(address)).toBe(false);
  });
});
