import type { ContractSuite } from '../src/contract-suite.ts';

/** Runs the cases of a suite, all or those with one name, and returns the names of those that fail. */
export async function failuresOf(suite: ContractSuite, only?: string): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of suite.cases) {
    if (only !== undefined && name !== only) continue;
    try {
      await run();
    } catch {
      failed.push(name);
    }
  }
  return failed;
}
