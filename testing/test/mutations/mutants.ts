import { expect } from 'vitest';
import type { ContractSuite } from '../../src/contract-suite.ts';

/** Whether a suite detects a mutation: at least one of its cases fails. Cases are tried in the given order of names. */
async function catches({ cases }: ContractSuite, order: readonly string[]): Promise<boolean> {
  for (const name of order) {
    try {
      await cases.find((one) => one.name === name)?.run();
    } catch {
      return true;
    }
  }
  return false;
}

/**
 * Expects a suite to pass a correct component, even behind a mutation that changes nothing, and to detect every other mutation: deliberate
 * small changes of a correct component, by what they break. Reports the undetected ones.
 */
export async function expectAllCaught<M>(
  suiteOf: (mutate: M | null) => ContractSuite,
  faults: Readonly<Record<string, M>>,
  unchanged: M | null,
): Promise<void> {
  const took = new Map<string, number>();
  for (const { name, run, skip } of suiteOf(unchanged).cases) {
    if (skip !== undefined) continue;
    const started = performance.now();
    await Promise.resolve(run()).catch((error: unknown) => expect.fail(`${name}: ${String(error)}`));
    took.set(name, performance.now() - started);
  }
  const quickestFirst = [...took].toSorted(([, a], [, b]) => a - b).map(([name]) => name);
  const survivors: string[] = [];
  for (const [fault, mutate] of Object.entries(faults))
    if (!(await catches(suiteOf(mutate), quickestFirst))) survivors.push(fault);
  expect(survivors).toEqual([]);
}
