/** The text of `migrations.generated.ts` for the SQL files as they are now. */
export function renderMigrations(): string;
