import type { Database } from '../../engine/adapters/postgres/database.ts';
import { type BuiltApp, buildApp, buildSubscriptions } from '../../test/support/builders.ts';

/** One statement makes so many: a deadline holds for each. */
const PER_STATEMENT = 50_000;

/** An app of an organization of its own, whose readers' keys nobody has to be able to use. */
export async function makeApp(
  database: Database,
  readers: number,
  onProgress: (made: number) => void,
): Promise<BuiltApp> {
  const app = await buildApp(database);
  for (let made = 0; made < readers; ) {
    const count = Math.min(PER_STATEMENT, readers - made);
    await buildSubscriptions(database, app.id, count);
    made += count;
    onProgress(made);
  }
  return app;
}
