import type { AppId } from '../../../../engine/contract/ids.ts';
import { buildSubscriptions } from '../../../support/builders.ts';
import {
  createFakeSender,
  createLogStore,
  type EngineHarness,
  type EngineHarnessOptions,
  startEngineHarness,
  until,
} from '../../../support/engine-harness.ts';
import { appIdOf } from '../../../support/subscriptions.ts';
import { appBody, callAs, createMember, createTestApi, type Member, type TestApi } from '../../support.ts';

/** An API with one app, and engines over its database that send to nobody real. */
export interface CampaignStand {
  readonly api: TestApi;
  readonly member: Member;
  readonly appId: AppId;
  readonly app: string;
  /** Below `/apps/{app}`. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    body?: object,
  ): ReturnType<ReturnType<typeof callAs>>;
  subscribe(count: number): Promise<void>;
  startEngine(options?: Partial<EngineHarnessOptions>): Promise<EngineHarness>;
  create(
    body: object,
  ): Promise<{ readonly id: number; readonly status: string; readonly next_step_at: string }>;
  read(id: number): Promise<CampaignRead>;
  /** Its deliveries in the order of their creation, once all of them are over. */
  deliveries(id: number, count: number): Promise<readonly DeliveryRead[]>;
  /** The step is due from now on. */
  makeDue(id: number): Promise<void>;
  /** Whom each delivery of the campaign has in its fixed audiences: `seq` by role. */
  audiences(id: number): Promise<ReadonlyMap<string, readonly number[]>>;
  close(): Promise<void>;
}

interface CampaignRead {
  readonly status: string;
  readonly next_step_at: string | null;
  readonly decision: object | null;
  readonly error_message: string | null;
  readonly [field: string]: unknown;
}
interface DeliveryRead {
  readonly id: number;
  readonly name: string;
  readonly campaign_role: string;
  readonly status: string;
  readonly title: string;
  readonly success_count: number;
}

export const words = (title: string) => ({
  title,
  body: 'What to know now',
  url: 'https://news.example.com/storm',
});

export async function openCampaignStand(
  changes: Parameters<typeof createTestApi>[0] = {},
): Promise<CampaignStand> {
  const api = await createTestApi(changes);
  const member = await createMember(api.database);
  const callAny = callAs(api.app, member);
  const made = await callAny('POST', '/apps', appBody());
  const app = String(made.json().data.identifier);
  const appId = await appIdOf(api.database, app);
  const logStore = createLogStore();
  const engines: EngineHarness[] = [];
  const call: CampaignStand['call'] = (method, path, body) => callAny(method, `/apps/${app}${path}`, body);
  const read: CampaignStand['read'] = async (id) => (await call('GET', `/campaigns/${id}`)).json().data;
  const list = async (id: number): Promise<DeliveryRead[]> =>
    (await call('GET', `/deliveries?campaign_id=${id}&per_page=100&direction=asc`)).json().data;
  return {
    ...{ api, member, appId, app, call, read },
    subscribe: (count) => buildSubscriptions(api.database, appId, count),
    startEngine: async (options = {}) => {
      const sender = createFakeSender(() => 'accepted');
      const engine = await startEngineHarness({ database: api.database, logStore, sender, ...options });
      engines.push(engine);
      return engine;
    },
    create: async (body) => {
      const answer = await call('POST', '/campaigns', body);
      if (answer.statusCode !== 201) throw new Error(`not created: ${answer.body}`);
      return answer.json().data;
    },
    deliveries: async (id, count) => {
      let found: readonly DeliveryRead[] = [];
      await until(`${count} deliveries are over`, async () => {
        found = await list(id);
        return found.length === count && found.every(({ status }) => status === 'success');
      });
      return found;
    },
    makeDue: async (id) => {
      await api.database.query(`UPDATE campaigns SET next_step_at = now(), retry_at = NULL WHERE id = $1`, [
        id,
      ]);
    },
    audiences: async (id) => {
      const rows = await api.database.query<{ role: string; block: number; audience: Buffer }>(
        `SELECT campaign_role AS role, block, blocks.audience FROM deliveries JOIN blocks ON delivery_id = deliveries.id
         WHERE campaign_id = $1 ORDER BY deliveries.id, block`,
        [id],
      );
      const found = new Map<string, number[]>();
      for (const { role, block, audience } of rows) {
        const seqs = Array.from({ length: 1_024 }, (_, bit) => bit).filter(
          (bit) => ((audience[bit >> 3] ?? 0) >> (bit & 7)) & 1,
        );
        found.set(role, [...(found.get(role) ?? []), ...seqs.map((bit) => block * 1_024 + bit)]);
      }
      return found;
    },
    close: async () => {
      await Promise.all(engines.map((engine) => engine.close(500)));
      await api.close();
    },
  };
}
