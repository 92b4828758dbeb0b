import { invalidInput } from '../../errors/invalid-input.ts';
import { compareCodePoints } from '../../domain/code-point-order.ts';
import type { Expected } from '../query-result.ts';
import { type GoldenQuery, groupProblems, parseSuite, readSuite } from './parse-suite.ts';
import { resolveExpectations, type ExpectationStore } from './resolve-expectations.ts';

/** A query of a suite with its expectations as the knowledge base knows them. */
export interface JudgedQuery {
  readonly query: GoldenQuery;
  readonly expected: Expected;
}

/**
 * Reads a golden suite and holds it against a knowledge base. Throws `invalid_input` with everything that is wrong with it in
 * one sorted list: entries, ids, groups, and expectations that the knowledge base does not know; `io_error` when there is no
 * such file.
 */
export async function openSuite(file: string, store: ExpectationStore): Promise<readonly JudgedQuery[]> {
  const { queries, problems } = parseSuite(await readSuite(file));
  const resolved = await Promise.all(
    queries.map(async (query) => ({ query, ...(await resolveExpectations(store, query)) })),
  );
  const all = [...problems, ...groupProblems(queries), ...resolved.flatMap(({ problems: each }) => each)];
  if (all.length === 0) return resolved.map(({ query, expected }) => ({ query, expected }));
  const list = [...new Set(all)].toSorted(compareCodePoints);
  const count = list.length === 1 ? 'a mistake' : `${list.length} mistakes`;
  throw invalidInput(`the golden suite ${file} has ${count}: ${list.join('; ')}`, {
    field: 'suite',
    value: file,
    hint: 'correct the suite; `kebab list docs` tells the paths that are indexed',
  });
}
