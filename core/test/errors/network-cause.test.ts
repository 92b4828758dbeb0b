import { describe, expect, it } from 'vitest';
import { networkCause, networkRemedy } from '../../src/errors/network-cause.ts';

const refused = new Error('connect ECONNREFUSED 127.0.0.1:1');
const circular = new Error('round');
circular.cause = circular;

describe('networkCause', () => {
  it.each<[string, unknown, string]>([
    ['the message of an error', refused, refused.message],
    ['the cause of `fetch failed`', new TypeError('fetch failed', { cause: refused }), refused.message],
    ['the first of several attempts', new AggregateError([refused, new Error('other')], ''), refused.message],
    [
      'what TLS means by a wrong version',
      new Error('EPROTO ssl3_get_record:wrong version number:..\n'),
      'what answers there does not speak TLS',
    ],
    ['a closed connection', new Error('socket hang up'), 'the connection broke off'],
    ['a connection closed in an answer', new Error('aborted'), 'the connection broke off in the middle of the answer'],
    ['the name of an error without a message', new RangeError(''), 'RangeError'],
    ['a cause that is not an error', new Error('failed', { cause: 'out of luck' }), 'Error: failed'],
    ['a cycle of causes', circular, 'Error: round'],
    ['a value that is not an error', 'gone', 'gone'],
  ])('says %s', (_name, error, cause) => {
    expect(networkCause(error)).toBe(cause);
  });
});

it.each<[string, RegExp | undefined]>([
  ['self-signed certificate in certificate chain', /NODE_EXTRA_CA_CERTS/],
  ['unable to get local issuer certificate', /NODE_EXTRA_CA_CERTS/],
  ['certificate has expired', /renew the certificate/],
  ["Hostname/IP does not match certificate's altnames: IP: 10.0.0.1 is not in the cert's list", /correct x\.endpoint/],
  ['write EPROTO 80FC:error:0A00010B:SSL routines:ssl3_get_record:wrong version number', /x\.endpoint with http:/],
  ['it redirects to https://llm.example/v1', /set x\.endpoint to the address/],
  ['through the proxy http://proxy.corp:3128: Proxy Authentication Required (407)', /HTTPS_PROXY .*NO_PROXY/],
  ['HTTP_PROXY names no HTTP proxy: socks5: is not supported', /HTTPS_PROXY .*NO_PROXY/],
  ['aborted', /^look at the log of the server/],
  ['terminated', /^look at the log of the server/],
  ['socket hang up', undefined],
  ['connect ECONNREFUSED 127.0.0.1:1', undefined],
])('networkRemedy names the way out of %j', (message, remedy) => {
  const told = networkRemedy(new TypeError('fetch failed', { cause: new Error(message) }), 'x.endpoint');
  if (remedy === undefined) expect(told).toBeUndefined();
  else expect(told).toMatch(remedy);
});
