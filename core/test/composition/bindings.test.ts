import { describe, expect, expectTypeOf, it } from 'vitest';
import { Bindings, type TokensOf, tokenOf, type Token } from '../../src/composition/bindings.ts';

interface Clock {
  now(): number;
}
class Greeter {
  readonly #clock: Clock;
  readonly #name: string;
  constructor(clock: Clock, name: string) {
    this.#clock = clock;
    this.#name = name;
  }
  greet(): string {
    return `${this.#name}, it is ${this.#clock.now()}`;
  }
}
const ClockToken = tokenOf<Clock>('test.clock');
const NameToken = tokenOf<string>('test.name');
const GreeterToken = tokenOf<Greeter>('test.greeter');

describe('Bindings', () => {
  it('constructs a plain class from tokens, once', () => {
    const bindings = new Bindings()
      .provide(ClockToken, () => ({ now: () => 12 }))
      .provide(NameToken, () => 'Ada')
      .bind(GreeterToken, Greeter, [ClockToken, NameToken]);
    expect(bindings.get(GreeterToken).greet()).toBe('Ada, it is 12');
    expect(bindings.get(GreeterToken)).toBe(bindings.get(GreeterToken));
  });

  it('accepts exactly the tokens of the constructor parameters, in order, or does not compile', () => {
    expectTypeOf<TokensOf<ConstructorParameters<typeof Greeter>>>().toEqualTypeOf<
      readonly [Token<Clock>, Token<string>]
    >();
    const misuses = (bindings: Bindings): void => {
      // @ts-expect-error misordered
      bindings.bind(GreeterToken, Greeter, [NameToken, ClockToken]);
      // @ts-expect-error one is missing
      bindings.bind(GreeterToken, Greeter, [ClockToken]);
      // @ts-expect-error one is too many
      bindings.bind(GreeterToken, Greeter, [ClockToken, NameToken, NameToken]);
      // @ts-expect-error the class creates something else
      bindings.bind(ClockToken, Greeter, [ClockToken, NameToken]);
    };
    expectTypeOf(misuses).returns.toBeVoid();
  });

  it('rejects a duplicate and a circular binding', () => {
    const bindings = new Bindings();
    bindings.provide(NameToken, () => String(bindings.get(ClockToken).now()));
    expect(() => bindings.provide(NameToken, () => 'again')).toThrow('bound twice');
    bindings.provide(ClockToken, () => ({ now: () => bindings.get(NameToken).length }));
    bindings.provide(GreeterToken, () => new Greeter({ now: () => bindings.get(ClockToken).now() }, ''));
    expect(() => bindings.get(GreeterToken).greet()).toThrow('circular binding');
  });
  it('closes what was created, in reverse order, and continues after a failure', async () => {
    const closed: string[] = [];
    const [a, b, c] = [tokenOf<string>('test.a'), tokenOf<string>('test.b'), tokenOf<string>('test.c')];
    const close = (value: string): void => {
      closed.push(value);
      if (value === 'b') throw new Error('stuck');
    };
    const bindings = new Bindings();
    bindings.provide(a, () => `${bindings.get(b)}a`, close);
    bindings.provide(b, () => 'b', close).provide(c, () => 'c', close);
    expect(bindings.get(a)).toBe('ba');
    await expect(bindings.close()).rejects.toThrow('closing failed');
    expect(closed).toEqual(['ba', 'b']);
  });

  it('constructs a class from an object of named values', () => {
    const bindings = new Bindings().provide(NameToken, () => 'Ada');
    class Note {
      readonly text: string;
      constructor({ name, size }: { readonly name: string; readonly size: number }) {
        this.text = `${name} ${size}`;
      }
    }
    const SizeToken = tokenOf<number>('test.size');
    const NoteToken = tokenOf<Note>('test.note');
    bindings.provide(SizeToken, () => 3);
    const misuses = (): void => {
      // @ts-expect-error one is missing
      bindings.bind(NoteToken, Note, [bindings.group({ name: NameToken })]);
      // @ts-expect-error of the wrong type
      bindings.bind(NoteToken, Note, [bindings.group({ name: NameToken, size: NameToken })]);
    };
    expectTypeOf(misuses).returns.toBeVoid();
    bindings.bind(NoteToken, Note, [bindings.group({ name: NameToken, size: SizeToken })]);
    expect(bindings.get(NoteToken).text).toBe('Ada 3');
  });

  it('rejects a class that is bound elsewhere with other parameters', () => {
    const bound = (name: Token<string>) =>
      new Bindings().bind(tokenOf<Named>('test.named'), Named, [name]).provide(name, () => 'x');
    class Named {
      readonly name: string;
      constructor(name: string) {
        this.name = name;
      }
    }
    bound(NameToken);
    expect(bound(NameToken).get(tokenOf<Named>('test.named')).name).toBe('x');
    expect(() => bound(tokenOf<string>('test.other'))).toThrow('bound with other parameters');
  });

  it('lets two objects need each other', () => {
    const Ping = tokenOf<{ readonly name: string }>('test.ping');
    const Pong = tokenOf<() => string>('test.pong');
    const bindings = new Bindings();
    const ping = bindings.later(Ping);
    bindings.provide(Pong, () => () => bindings.get(ping)().name);
    bindings.provide(Ping, () => (bindings.get(Pong), { name: 'ping' }));
    expect(bindings.get(Pong)()).toBe('ping');
  });

  it('shares with a derived container, whose own bindings do not leak into what is shared, and closes it apart', async () => {
    const closed: string[] = [];
    const close = (value: string): void => void closed.push(value);
    const [shared, greeting] = [tokenOf<string>('test.shared'), tokenOf<string>('test.greeting')];
    const bindings = new Bindings().provide(NameToken, () => 'Ada');
    bindings.provide(shared, () => `for ${bindings.get(NameToken)}`, close);
    const derived = bindings.derive().provide(NameToken, () => 'Bob');
    derived.provide(greeting, () => `${derived.get(NameToken)}, ${derived.get(shared)}`, close);
    expect(derived.get(greeting)).toBe('Bob, for Ada');
    await derived.close();
    expect(closed).toEqual(['Bob, for Ada']);
    await bindings.close();
    expect(closed).toEqual(['Bob, for Ada', 'for Ada']);
  });
});
