import 'reflect-metadata/lite';
import { type DependencyContainer, inject, injectable, instanceCachingFactory, container as root } from 'tsyringe';
import type { AppPorts } from '../app/app-ports.ts';

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
  readonly #container: DependencyContainer = root.createChildContainer();
  readonly #closers: (() => void | Promise<void>)[] = [];
  readonly #making: string[] = [];

  /** Binds a token to a plain class; a missing, superfluous, wrong or misordered parameter token does not compile. */
  bind<T, Parameters extends readonly unknown[]>(
    token: Token<T>,
    ctor: new (...parameters: Parameters) => NoInfer<T>,
    parameters: TokensOf<NoInfer<Parameters>>,
    close?: Close<T>,
  ): this {
    for (const [index, parameter] of parameters.entries()) inject(parameter)(ctor, undefined, index);
    injectable()(ctor);
    return this.provide(token, () => this.#container.resolve(ctor), close);
  }

  /** The single instance of a class whose code is loaded lazily: binds it like {@link bind} on first use. */
  once<T, Parameters extends readonly unknown[]>(
    token: Token<T>,
    ctor: new (...parameters: Parameters) => T,
    parameters: TokensOf<NoInfer<Parameters>>,
  ): T {
    if (!this.has(token)) this.bind<T, Parameters>(token, ctor, parameters);
    return this.get(token);
  }

  /** Binds a token to a factory, which runs once, on first use. Throws when the token is already bound. */
  provide<T>(token: Token<T>, make: () => T, close?: Close<T>): this {
    if (this.has(token)) throw new Error(`${String(token)} is bound twice`);
    this.#container.register<T>(token, { useFactory: instanceCachingFactory(() => this.#make(token, make, close)) });
    return this;
  }

  /** Whether a token is bound. */
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
        failures.push(error);
      }
    }
    await this.#container.dispose();
    if (failures.length > 0) throw new AggregateError(failures, 'closing failed');
  }

  #make<T>(token: Token<T>, make: () => T, close: Close<T> | undefined): T {
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

/** Binds every port. Ports are opened on first use, so binding costs nothing. */
export function bindPorts(bindings: Bindings, ports: AppPorts): void {
  for (const name of Object.keys(ports) as (keyof AppPorts)[]) bindings.provide(portToken(name), () => ports[name]);
}

/** The ports that an operation declares. */
export function portsOf<Name extends keyof AppPorts>(bindings: Bindings, names: readonly Name[]): Pick<AppPorts, Name> {
  return Object.fromEntries(names.map((name) => [name, bindings.get(portToken(name))])) as Pick<AppPorts, Name>;
}

function portToken<Name extends keyof AppPorts>(name: Name): Token<AppPorts[Name]> {
  return tokenOf(`port.${name}`);
}
