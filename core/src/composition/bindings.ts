import 'reflect-metadata/lite';
import { type DependencyContainer, inject, injectable, container as root } from 'tsyringe';

// tsyringe does not load without a Reflect polyfill; this file is its only importer

/** Tokens for a list of constructor parameters: one each, in order, of the right type. */
export type TokensOf<Parameters extends readonly unknown[]> = {
  readonly [I in keyof Parameters]: Token<Parameters[I]>;
};

/** Releases a value that the container created. */
type Close<T> = (value: T) => void | Promise<void>;

/**
 * The container of one App: typed tokens, plain classes without decorators, one lazy instance per binding, an error for a duplicate or
 * circular binding, and a close in reverse order of creation.
 */
export class Bindings {
  readonly #container: DependencyContainer;
  readonly #closers: (() => void | Promise<void>)[] = [];
  readonly #making: string[] = [];

  constructor(parent: Bindings | null = null) {
    this.#container = (parent === null ? root : parent.#container).createChildContainer();
  }

  /**
   * Binds a token to a plain class; a missing, superfluous, wrong or misordered parameter token does not compile. Throws when the token is
   * already bound, or the class is bound somewhere with other parameters.
   */
  bind<T, Instance extends T, Parameters extends readonly unknown[]>(
    token: Token<T>,
    ctor: new (...parameters: Parameters) => Instance,
    parameters: TokensOf<NoInfer<Parameters>>,
    close?: Close<NoInfer<Instance>>,
  ): this {
    declareParameters(ctor, parameters);
    return this.#register<T, Instance>(token, () => this.#container.resolve(ctor), close);
  }

  /** Binds a token to a factory, which runs once, on first use. Throws when the token is already bound. */
  provide<T>(token: Token<T>, make: () => T, close?: Close<T>): this {
    return this.#register<T, T>(token, make, close);
  }

  /**
   * A token for an object of several bound values, for a constructor that takes them by name. Its members are made when the object is
   * first needed.
   */
  group<T extends object>(tokens: { readonly [Name in keyof T]: Token<T[Name]> }): Token<T> {
    const members = Object.entries(tokens) as readonly (readonly [string, Token<unknown>])[];
    const token = tokenOf<T>(`{${members.map(([name, { description }]) => `${name}: ${description}`).join(', ')}}`);
    const make = (): T => Object.fromEntries(members.map(([name, member]) => [name, this.get(member)])) as T;
    return this.has(token) ? token : (this.provide(token, make), token);
  }

  /** A token for a function that returns the instance of another, for two classes that need each other. */
  later<T>(token: Token<T>): Token<() => T> {
    const getter = tokenOf<() => T>(`later ${token.description}`);
    return this.has(getter) ? getter : (this.provide(getter, () => () => this.get(token)), getter);
  }

  /**
   * The container of an App for another caller, which shares everything that it does not bind itself. What is shared is made from shared
   * bindings only, and outlives it.
   */
  derive(): Bindings {
    return new Bindings(this);
  }

  /** Whether a token is bound in this container itself. */
  has<T>(token: Token<T>): boolean {
    return this.#container.isRegistered(token);
  }

  /** The single instance of a token. */
  get<T>(token: Token<T>): T {
    return this.#container.resolve<T>(token);
  }

  /** Closes what was created, in reverse order; a failing close does not prevent the others. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(...(error instanceof AggregateError ? error.errors : [error]));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'closing failed');
  }

  #register<T, Instance extends T>(token: Token<T>, make: () => Instance, close: Close<Instance> | undefined): this {
    if (this.has(token)) throw new Error(`${String(token)} is bound twice`);
    let made: { readonly value: Instance } | undefined;
    this.#container.register<T>(token, {
      useFactory: () => (made ??= { value: this.#make(token, make, close) }).value,
    });
    return this;
  }

  #make<T>(token: symbol, make: () => T, close: Close<T> | undefined): T {
    const name = String(token.description);
    if (this.#making.includes(name)) throw new Error(`circular binding: ${[...this.#making, name].join(' → ')}`);
    this.#making.push(name);
    try {
      const value = make();
      if (close !== undefined) this.#closers.push(() => close(value));
      return value;
    } finally {
      this.#making.pop();
    }
  }
}

declare const valueType: unique symbol;

/**
 * A typed name for something in the container; `Symbol.for` makes it equal across two installed copies of the package. A token of a
 * narrower type may be used for a parameter of a wider one.
 */
export type Token<T> = symbol & { readonly [valueType]?: () => T };

/** Creates the token for a name. Two tokens with the same name are equal. */
export function tokenOf<T>(name: string): Token<T> {
  return Symbol.for(`@kebab/core/1:${name}`);
}

/** tsyringe stores the parameters with the class, not with the container. */
const declared = new WeakMap<object, readonly symbol[]>();

function declareParameters(ctor: Parameters<ReturnType<typeof injectable>>[0], parameters: readonly symbol[]): void {
  const before = declared.get(ctor);
  if (before === undefined) {
    declared.set(ctor, parameters);
    for (const [index, parameter] of parameters.entries()) inject(parameter)(ctor, undefined, index);
    injectable()(ctor);
  } else if (before.length !== parameters.length || before.some((token, index) => token !== parameters[index]))
    throw new Error(`${ctor.name} is bound with other parameters`);
}
