import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { TestReporting } from '../support.ts';

export const savedBody = {
  name: 'Last week',
  period: 'last_7_days',
  dimensions: ['day'],
  metrics: ['impressions'],
  currency: 'EUR',
} as const;

/** Requests below `/api/v1/reports`. */
export const createAsk =
  (app: FastifyInstance) =>
  (token: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    app.inject({
      method,
      url: `/api/v1/reports${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: body }),
    });

/** A further user of the user's organization. */
export async function colleagueOf(
  { database }: Pick<TestReporting, 'database'>,
  userId: number,
  role: 'member' | 'admin',
  narrowed: 'reader' | 'guest' | null = null,
): Promise<number> {
  const [row] = await database.query<{ id: number }>(
    `INSERT INTO users (organization_id, email, name, role, narrowed)
     SELECT organization_id, $2, 'Colleague', $3, $4 FROM users WHERE id = $1 RETURNING id`,
    [userId, `${randomBytes(6).toString('hex')}@example.com`, role, narrowed],
  );
  return row?.id ?? 0;
}
