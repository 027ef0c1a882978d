import { type Ability, abilities } from '../../api/auth/abilities.ts';
import { createToken } from '../../api/auth/token-store.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { formatToken } from '../../engine/kit/http/token.ts';
import { createMember, createTestApi, type Member, type TestApi } from '../api/support.ts';
import type { Document } from './answers.ts';
import { openDiscovery } from './discovery.ts';
import { fixtures, type Maker } from './fixtures.ts';
import { collectRoutes, type ListedRoute } from './routes.ts';
import { tablesOf } from './snapshot.ts';

/** An API with every route, its document, and two organizations. */
export interface World {
  readonly api: TestApi;
  readonly routes: readonly ListedRoute[];
  readonly document: Document;
  /** Owns what a test makes. */
  readonly owner: Member;
  /** Of another organization, with every ability. */
  readonly stranger: Member;
  /** Runs the installation. */
  readonly operator: Member;
  readonly tables: readonly string[];
  /** Another token of the member's user. */
  tokenWith(
    member: Member,
    holds: (ability: Ability) => boolean,
    limits?: { readonly appIds?: readonly AppId[]; readonly addresses?: readonly string[] },
  ): Promise<string>;
}

/** What is built is tested elsewhere: here is one file, named as the path parameter's fixture. */
const asset = { type: 'text/javascript', plain: Buffer.from(''), gzip: null, brotli: null };
const builtDashboard = {
  kind: 'built',
  build: { index: '<!doctype html>', assets: new Map([['broadside.js', asset]]) },
} as const;

/** So that its routes write e-mails; no engine sends them. */
const emails = {
  smtpUrl: 'smtp://127.0.0.1:1',
  mailFrom: 'push@push.example',
  publicBaseUrl: 'http://localhost:80',
};

const providerOf = (oidcIssuer: string) => ({
  oidcIssuer,
  oidcClientId: 'broadside',
  oidcClientSecret: 'a secret of the provider',
  oidcPrivateHosts: [new URL(oidcIssuer).host],
});

export async function createWorld(): Promise<World> {
  let routes: readonly ListedRoute[] = [];
  const issuer = await openDiscovery();
  const endpointPolicy = { hosts: ['push.example.com', 'fcm.googleapis.com'], allowAnyHost: false };
  const api = await createTestApi(
    { endpointPolicy, dashboard: () => builtDashboard, config: { ...emails, ...providerOf(issuer) } },
    (app) => {
      routes = collectRoutes(app);
    },
  );
  const document = (await api.app.inject('/api/v1/openapi.json')).json() as Document;
  const tables = await tablesOf(api.database);
  const member = (role: 'admin' | 'super-admin' = 'admin') => createMember(api.database, { role });
  return {
    api,
    routes,
    document,
    owner: await member(),
    stranger: await member(),
    operator: await member('super-admin'),
    tables,
    tokenWith: async ({ userId }, holds, limits = {}) =>
      formatToken(
        await createToken(api.database, {
          userId,
          name: 'test',
          abilities: abilities.filter(holds),
          ...limits,
        }),
      ),
  };
}

export const makerOf = ({ api }: World, member: Member, made: Params): Maker => ({
  app: api.app,
  database: api.database,
  member,
  made,
});

export type Params = Readonly<Record<string, string>>;

/** A fresh resource of the member's for every parameter of the route's path. */
export async function makeParams(world: World, member: Member, route: ListedRoute): Promise<Params> {
  const made: Record<string, string> = {};
  for (const name of route.params) {
    const make = fixtures[name];
    if (make === undefined) {
      throw new Error(
        `${route.name} has the path parameter ${name}, which has no fixture: add a function that makes such a ` +
          'resource for a member, and returns its id, to test/generated/fixtures.ts',
      );
    }
    made[name] = await make(makerOf(world, member, made));
  }
  return made;
}

export const pathOf = ({ url }: ListedRoute, params: Params): string =>
  url.replaceAll(/:([A-Za-z_]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
