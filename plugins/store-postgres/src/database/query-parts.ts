import { sql, type Expression, type SqlBool } from 'kysely';

/** Whether a column has a value of a list, which is one parameter. */
export function isAnyOf(
  column: string,
  values: readonly (string | number)[],
  type: 'text' | 'bigint' | 'uuid' = 'text',
): Expression<SqlBool> {
  return sql<boolean>`${sql.ref(column)} = ANY(${values}::${sql.raw(type)}[])`;
}
