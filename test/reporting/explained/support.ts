import type { FastifyInstance } from 'fastify';

/** A question of the folder, as the specification sends requests. */
export async function ask<Data = Row[], Meta = Record<string, unknown>>(
  app: FastifyInstance,
  token: string,
  url: string,
  body?: object,
): Promise<{ status: number; data: Data; meta: Meta; text: string; errors?: Record<string, string[]> }> {
  const answer = await app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: `/api/v1/reports${url}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { ...answer.json(), status: answer.statusCode, text: answer.body };
}

export type Row = Readonly<Record<string, unknown>>;

/** A series of whole numbers that is the same with the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
