import type { AppPorts } from '../app/app-ports.ts';
import { type Bindings, tokenOf, type Token } from './bindings.ts';

/** Binds every port. Ports open what stands behind them when they are used, so binding costs nothing. */
export function bindPorts(bindings: Bindings, ports: AppPorts): void {
  for (const name of Object.keys(ports) as (keyof AppPorts)[]) bindings.provide(portToken(name), () => ports[name]);
}

/** The ports that an operation names. */
export function portsOf<Name extends keyof AppPorts>(bindings: Bindings, names: readonly Name[]): Pick<AppPorts, Name> {
  return Object.fromEntries(names.map((name) => [name, bindings.get(portToken(name))])) as Pick<AppPorts, Name>;
}

function portToken<Name extends keyof AppPorts>(name: Name): Token<AppPorts[Name]> {
  return tokenOf(`port.${name}`);
}
