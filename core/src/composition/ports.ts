import type { AppPorts } from '../app/app-ports.ts';
import type { Bindings } from './bindings.ts';
import { token, type Token } from './tokens.ts';

/** How each port is made, when it is first asked for. */
export type PortFactories = { readonly [Name in keyof AppPorts]: () => AppPorts[Name] };

/** Binds every port lazily: what no operation of a command names is never made. */
export function bindPorts(bindings: Bindings, factories: PortFactories): void {
  for (const name of Object.keys(factories) as (keyof AppPorts)[]) bindings.provide(portToken(name), factories[name]);
}

/** The ports that an operation names. */
export function portsOf<Name extends keyof AppPorts>(bindings: Bindings, names: readonly Name[]): Pick<AppPorts, Name> {
  return Object.fromEntries(names.map((name) => [name, bindings.get(portToken(name))])) as Pick<AppPorts, Name>;
}

function portToken<Name extends keyof AppPorts>(name: Name): Token<AppPorts[Name]> {
  return token(`port.${name}`);
}
