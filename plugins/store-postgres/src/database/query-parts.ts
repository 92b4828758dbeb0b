import { sql, type Expression, type SelectQueryBuilder, type SqlBool } from 'kysely';

/** Whether a column has a value of a list, which is one parameter. */
export function isAnyOf(
  column: string,
  values: readonly (string | number)[],
  type: 'text' | 'bigint' | 'uuid' = 'text',
): Expression<SqlBool> {
  return sql<boolean>`${sql.ref(column)} = ANY(${values}::${sql.raw(type)}[])`;
}

/** How many rows a query has, of which nothing is selected yet. */
export async function countOf<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counted: unknown = await query.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirst();
  return (counted as { readonly n: number } | undefined)?.n ?? 0;
}
