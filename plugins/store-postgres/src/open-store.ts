import type { PluginContext } from '@kebab/core';
import { PostgresDatabase } from './database/open-database.ts';
import type { PostgresConfig } from './postgres-config.ts';

const databases = new WeakMap<PluginContext<PostgresConfig>, Promise<PostgresDatabase>>();

/** Returns the database shared by all components of one context. A failed attempt is not cached. */
export function openStore(context: PluginContext<PostgresConfig>): Promise<PostgresDatabase> {
  let database = databases.get(context);
  if (database === undefined) {
    const { config, clock } = context;
    database = PostgresDatabase.open(config, () => clock.now());
    databases.set(context, database);
    database.catch(() => databases.delete(context));
  }
  return database;
}
