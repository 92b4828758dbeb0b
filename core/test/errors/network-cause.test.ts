import { describe, expect, it } from 'vitest';
import { networkCause } from '../../src/errors/network-cause.ts';

const refused = new Error('connect ECONNREFUSED 127.0.0.1:1');
const circular = new Error('round');
circular.cause = circular;

describe('networkCause', () => {
  it.each<[string, unknown, string]>([
    ['the message of an error', refused, refused.message],
    ['the cause of `fetch failed`', new TypeError('fetch failed', { cause: refused }), refused.message],
    ['the first of several attempts', new AggregateError([refused, new Error('other')], ''), refused.message],
    ['a closed connection', new Error('socket hang up'), 'the connection broke off'],
    ['the name of an error without a message', new RangeError(''), 'RangeError'],
    ['a cause that is not an error', new Error('failed', { cause: 'out of luck' }), 'Error: failed'],
    ['a cycle of causes', circular, 'Error: round'],
    ['a value that is not an error', 'gone', 'gone'],
  ])('says %s', (_name, error, cause) => {
    expect(networkCause(error)).toBe(cause);
  });
});
