import { describe, expect, it } from 'vitest';
import { type Answerer, Channel, type ChannelMessage } from '../../../src/plugin/process/channel.ts';

/** The asking end of a channel whose other end answers like this; messages are copied, and arrive later. */
function channelTo(answer: Answerer<string>): Channel<string> {
  const carry = (message: ChannelMessage, to: () => { take(message: ChannelMessage): void }): void => {
    const copy = structuredClone(message);
    setImmediate(() => to().take(copy));
  };
  const asking: Channel<string> = new Channel({ send: (message) => carry(message, () => other), answer: () => null });
  const other = new Channel<never, string>({ send: (message) => carry(message, () => asking), answer });
  return asking;
}

describe('a channel', () => {
  it('carries values, errors and items', async () => {
    const channel = channelTo((request) => {
      if (request === 'fail') throw new RangeError('out of range');
      return request === 'stream' ? numbersUpTo(600) : new Date(7);
    });
    expect(await channel.ask('value')).toEqual(new Date(7));
    await expect(channel.ask('fail')).rejects.toMatchObject({ name: 'RangeError', message: 'out of range' });
    const items: unknown[] = [];
    for await (const item of channel.stream('stream')) items.push(item);
    expect(items).toHaveLength(600);
  });

  it('says that an answer cannot be sent', async () => {
    await expect(channelTo(() => ({ run: () => {} })).ask('x')).rejects.toThrow('its answer cannot leave its process');
  });

  it('fires the signal of the other end, whose answer still counts', async () => {
    const stop = new AbortController();
    const channel = channelTo(
      (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(`stopped: ${String(signal.reason)}`))),
    );
    const answer = channel.ask('x', { signal: stop.signal });
    setImmediate(() => stop.abort('enough'));
    expect(await answer).toBe('stopped: enough');
  });

  it('ends a request whose callback throws, and cancels it', async () => {
    let isCancelled = false;
    const channel = channelTo((_, { signal, event }) => {
      signal.addEventListener('abort', () => (isCancelled = true));
      event('progress', 1);
      return new Promise(() => {});
    });
    const onEvent = (): never => {
      throw new Error('not this way');
    };
    await expect(channel.ask('x', { onEvent })).rejects.toThrow('not this way');
    await expect.poll(() => isCancelled).toBe(true);
  });

  it('closes a stream that is no longer read', async () => {
    let isClosed = false;
    const channel = channelTo(async function* (_, { signal }) {
      try {
        yield 1;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      } finally {
        isClosed = true;
      }
    });
    for await (const item of channel.stream('x')) {
      expect(item).toBe(1);
      break;
    }
    await expect.poll(() => isClosed).toBe(true);
  });

  it('fails what waits for an answer once it has ended, and what comes later', async () => {
    const channel = channelTo(() => new Promise(() => {}));
    const waiting = channel.ask('x');
    channel.end(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(channel.ask('y')).rejects.toThrow('gone');
  });
});

async function* numbersUpTo(count: number): AsyncGenerator<number> {
  for (let number = 0; number < count; number++) yield number;
}
