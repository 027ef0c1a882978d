import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendNotFound } from '../../engine/adapters/http/problem.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { callerOf } from '../auth/caller.ts';
import { isBelowApp } from '../auth/client-access.ts';
import { findApp, type StoredApp } from './apps/store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes of an app before the handler runs: the caller's organization owns it, their token is for it. */
    ownApp: StoredApp | null;
  }
}

/**
 * Finds the app of every route of one, and answers 404 where the caller's organization has none of that name, or the
 * caller's token is limited to others. After validation, so that a body that breaks the rules is answered alike whosever the app is.
 */
export function registerOwnApp(scope: FastifyInstance, sql: Sql): void {
  scope.decorateRequest('ownApp', null);
  scope.addHook('preHandler', async (request, reply) => {
    if (!isBelowApp(request.routeOptions.url)) return;
    if ((await findOwnApp(request, sql)) === null) return sendNotFound(reply);
  });
}

/** For what must know the app before validation; the look-up is made once for a request. */
export async function findOwnApp(request: FastifyRequest, sql: Sql): Promise<StoredApp | null> {
  const { identifier } = request.params as { readonly identifier: string };
  request.ownApp ??= await findApp(sql, callerOf(request), identifier);
  return request.ownApp;
}

export function appOf(request: FastifyRequest): StoredApp {
  if (request.ownApp === null) throw new Error(`${request.url} runs without an app`);
  return request.ownApp;
}
