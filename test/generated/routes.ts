import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Ability } from '../../api/auth/abilities.ts';

/** A JSON schema as a route states it: TypeBox makes plain objects. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
}

/** A route as it was registered. */
export interface ListedRoute {
  /** `POST /api/v1/client/apps/:identifier/deliveries` */
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly ability: Ability | null;
  /** The lowest role that may, beside the ability; null: each with the ability. */
  readonly role: string | null;
  /** Of account routes: who may call. */
  readonly access: string | null;
  readonly hidden: boolean;
  readonly params: readonly string[];
  readonly body: Schema | null;
  readonly query: Schema | null;
}

/** Records every route of an API as it registers, so that none is forgotten. Call it before `ready()`. */
export function collectRoutes(app: FastifyInstance): readonly ListedRoute[] {
  const routes: ListedRoute[] = [];
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) routes.push(listed(route, method));
  });
  return routes;
}

function listed(route: RouteOptions, method: string): ListedRoute {
  const { url, schema } = route;
  return {
    name: `${method} ${url}`,
    method,
    url,
    ability: route.config?.ability ?? null,
    role: route.config?.role ?? null,
    access: route.config?.access ?? null,
    hidden: schema?.hide === true || method === 'HEAD' || method === 'OPTIONS',
    params: [...url.matchAll(/:([A-Za-z_]+)/g)].map(([, name = '']) => name),
    body: (schema?.body as Schema | undefined) ?? null,
    query: (schema?.querystring as Schema | undefined) ?? null,
  };
}

/** The path as the OpenAPI document writes it. */
export const documentedPath = (url: string): string => url.replaceAll(/:([A-Za-z_]+)/g, '{$1}');

/** For `it.each`: `%s` shows the whole name, where `$name` would cut it off. */
export const byName = (routes: readonly ListedRoute[]): [name: string, route: ListedRoute][] =>
  routes.map((route) => [route.name, route]);
