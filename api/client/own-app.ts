import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { UserId } from '../../engine/contract/ids.ts';
import { sendNotFound } from '../../engine/kit/http/problem.ts';
import { isStorable } from '../../engine/kit/http/unstorable-text.ts';
import { type AppRole, roleAt } from '../auth/app-roles.ts';
import { callerOf } from '../auth/caller.ts';
import { isBelowApp, whyNotAt } from '../auth/client-access.ts';
import { findApp, type StoredApp } from './apps/store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes of an app before the handler runs: it exists for the caller, and their role there allows the route. */
    ownApp: StoredApp | null;
  }
}

/**
 * Finds the app of every route of one. Answers 404 where none of that name exists for the caller: it is another
 * organization's, their token is limited to others, or they are a guest without a grant on it; and 403 where their role
 * on it does not allow the route. Before the body is read: nobody without a right has one parsed, and a body that breaks
 * the rules is answered 404 as any other where the app is somebody else's.
 */
export function registerOwnApp(scope: FastifyInstance, sql: Sql): void {
  scope.decorateRequest('ownApp', null);
  scope.addHook('onRequest', async (request, reply) => {
    if (!isBelowApp(request.routeOptions.url)) return;
    if ((await admitToApp(request, reply, sql)) === null) return reply;
  });
}

/** @returns null once it has sent the reply. */
async function admitToApp(request: FastifyRequest, reply: FastifyReply, sql: Sql): Promise<StoredApp | null> {
  const { identifier } = request.params as { readonly identifier: string };
  // Not validated yet, and Postgres refuses such a text with an error.
  const app = isStorable(identifier) ? await findApp(sql, callerOf(request), identifier) : null;
  const why = app === null ? null : whyNotAt(request, app.id);
  if (app === null) sendNotFound(reply);
  else if (why !== null) reply.code(403).send({ message: why });
  else request.ownApp = asMetBy(roleAt(callerOf(request), app.id), app);
  return request.ownApp;
}

/** What an author writes waits for an approver, on every app: as if its setting asked for one. */
const asMetBy = (role: AppRole | null, app: StoredApp): StoredApp =>
  role === 'author' ? { ...app, approval: 'all' } : app;

export function appOf(request: FastifyRequest): StoredApp {
  if (request.ownApp === null) throw new Error(`${request.url} runs without an app`);
  return request.ownApp;
}

/** The caller's on the app of the request. */
export function appRoleOf(request: FastifyRequest): AppRole {
  const role = roleAt(callerOf(request), appOf(request).id);
  if (role === null) throw new Error(`${request.url} runs for somebody without a role on the app`);
  return role;
}

/** Whose own drafts and test browsers alone the caller takes away or renames; null: anybody’s. */
export const ownAlone = (request: FastifyRequest): UserId | null =>
  appRoleOf(request) === 'author' ? callerOf(request).userId : null;
