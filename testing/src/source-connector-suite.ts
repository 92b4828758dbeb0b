import type { SourceConnector, SourceEntry, SourceFile, SourceScope } from '@kebab/core';
import { compareCodePoints } from '@kebab/core/store';
import { workspacePathOf } from '@kebab/core/suites';
import assert from 'node:assert/strict';
import { assertIdentified, casesOn, silentCallContext, type ContractSuite } from './contract-suite.ts';

/** A place for a source connector to walk, prepared for the suite. */
export interface SourceFixture {
  readonly connector: SourceConnector;
  readonly scope: SourceScope;
  /** Exactly the files that a walk of the scope finds, with their bytes. At least two. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** A path inside the scope without a file. */
  readonly missing: string;
}

/** Access to the connector: `open` is called once per case, and its result is closed after it. */
export interface SourceConnectorSuiteOptions {
  readonly open: () => Promise<SourceFixture & { readonly close?: () => void | Promise<void> }>;
}

/** The contract suite of a source connector. */
export function sourceConnectorSuite({ open }: SourceConnectorSuiteOptions): ContractSuite {
  const promise = casesOn(open);
  return {
    contract: 'SourceConnector',
    cases: [
      promise('finds every file of its scope, each once', findsEveryFile),
      promise('walks in code point order of the paths', walksInOrder),
      promise('yields the same entries again for an unchanged place', walksTheSame),
      promise('names files by normalised paths inside the root', namesNormalised),
      promise('returns exactly the bytes of a file, and reports their number', readsBytes),
      promise('returns size and time of a file as in the walk, and null for a missing one', tellsStat),
      promise('stops walking when it is cancelled', stops),
      promise('has a stable fingerprint', ({ connector }) => assertIdentified(connector)),
    ],
  };
}

async function findsEveryFile({ connector, scope, files }: SourceFixture): Promise<void> {
  const found = (await filesOf({ connector, scope })).map(({ workspacePath }) => workspacePath);
  assert.deepEqual(found.toSorted(compareCodePoints), Object.keys(files).toSorted(compareCodePoints));
}

async function walksInOrder({ connector, scope }: SourceFixture): Promise<void> {
  const found = (await filesOf({ connector, scope })).map(({ workspacePath }) => workspacePath);
  assert.deepEqual(found, found.toSorted(compareCodePoints));
}

async function walksTheSame({ connector, scope }: SourceFixture): Promise<void> {
  assert.deepEqual(await entriesOf({ connector, scope }), await entriesOf({ connector, scope }));
}

async function namesNormalised({ connector, scope }: SourceFixture): Promise<void> {
  for (const { workspacePath } of await filesOf({ connector, scope }))
    assert.equal(workspacePath, workspacePathOf(workspacePath));
}

async function readsBytes({ connector, scope, files }: SourceFixture): Promise<void> {
  for (const file of await filesOf({ connector, scope })) {
    const bytes = await connector.read(file, silentCallContext());
    assert.deepEqual(Buffer.from(bytes), Buffer.from(files[file.workspacePath] ?? []), file.workspacePath);
    assert.equal(file.size, bytes.length);
  }
}

async function tellsStat({ connector, scope, missing }: SourceFixture): Promise<void> {
  if (connector.stat === undefined) return;
  for (const { workspacePath, size, mtimeNs } of await filesOf({ connector, scope }))
    assert.deepEqual(await connector.stat(scope, workspacePath, silentCallContext()), { size, mtimeNs });
  assert.equal(await connector.stat(scope, missing, silentCallContext()), null);
}

async function stops({ connector, scope }: SourceFixture): Promise<void> {
  const abort = new AbortController();
  const walked: SourceEntry[] = [];
  try {
    for await (const entry of connector.scan(scope, silentCallContext(abort.signal))) {
      walked.push(entry);
      abort.abort();
    }
  } catch {
    // Ending with an error is as good as ending early.
  }
  assert.ok(walked.length < (await entriesOf({ connector, scope })).length, 'the walk continued to its end');
}

type Walked = Pick<SourceFixture, 'connector' | 'scope'>;

async function entriesOf({ connector, scope }: Walked): Promise<readonly SourceEntry[]> {
  const entries: SourceEntry[] = [];
  for await (const entry of connector.scan(scope, silentCallContext())) entries.push(entry);
  return entries;
}

async function filesOf(walked: Walked): Promise<readonly SourceFile[]> {
  return (await entriesOf(walked)).filter((entry) => entry.kind === 'file');
}
