import type { GrantedRole } from '../../../../api/auth/app-roles.ts';
import { writeGrants } from '../../../../api/auth/grant-store.ts';
import { until } from '../../../support/engine-harness.ts';
import { appBody, callAs, createMember, deliveryBody, type Member } from '../../support.ts';
import { type CampaignStand, openCampaignStand, words } from '../campaigns/stand.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Below the app. */
export type Call = (method: Method, path: string, body?: object) => ReturnType<ReturnType<typeof callAs>>;

export const LATER = '2999-01-31T07:00:00+00:00';
export const recurring = (title = 'Morning', rest: object = {}) => ({
  name: title,
  plan: { kind: 'recurring', schedule: '0 7 * * *', time_zone: 'UTC' },
  notifications: [words(title)],
  ...rest,
});

/** An app with an admin, an approver and two authors. */
export interface Desk {
  readonly stand: CampaignStand;
  readonly admin: Call;
  readonly approver: Call;
  readonly author: Call;
  readonly other: Call;
  person(role: GrantedRole): Promise<Member>;
  as(member: Member): Call;
  /** The app's rule. */
  ask(approval: string): Promise<void>;
  deliver(call: Call, rest?: object): Promise<number>;
  campaign(call: Call, body?: object): Promise<number>;
  segment(value: string): Promise<number>;
  tag(seqs: readonly number[], value: string): Promise<void>;
  approve(call: Call, subject: string, version?: number): ReturnType<Call>;
  /** Whom a delivery that is over was for. */
  reached(delivery: number): Promise<number>;
}

export async function openDesk(changes: Parameters<typeof openCampaignStand>[0] = {}): Promise<Desk> {
  const stand = await openCampaignStand(changes);
  const { database } = stand.api;
  const as = (member: Member): Call => {
    const call = callAs(stand.api.app, member);
    return (method, path, body) => call(method, `/apps/${stand.app}${path}`, body);
  };
  const person = async (role: GrantedRole): Promise<Member> => {
    const { organizationId } = stand.member;
    const member = await createMember(database, { role: 'guest', organizationId });
    await writeGrants(database, member.userId, new Map([[stand.appId, role]]));
    return member;
  };
  const admin = as(stand.member);
  const made = async (answer: ReturnType<Call>): Promise<number> => {
    const { statusCode, body } = await answer;
    if (statusCode !== 201) throw new Error(`not created: ${body}`);
    return JSON.parse(body).data.id;
  };
  return {
    ...{ stand, admin, as, person },
    approver: as(await person('approver')),
    author: as(await person('author')),
    other: as(await person('author')),
    ask: async (approval) => {
      const answer = await admin('PATCH', '', { ...appBody(), approval });
      if (answer.statusCode !== 200) throw new Error(answer.body);
    },
    deliver: (call, rest = {}) => made(call('POST', '/deliveries', deliveryBody(rest))),
    campaign: (call, body = recurring()) => made(call('POST', '/campaigns', body)),
    segment: (value) => made(admin('POST', '/segments', { name: value, rules: rulesOf(value) })),
    tag: async (seqs, value) => {
      await database.query(
        `UPDATE subscriptions SET tags = jsonb_build_object('plan', $3::text) WHERE app_id = $1 AND seq = ANY($2::integer[])`,
        [stand.appId, seqs, value],
      );
    },
    approve: (call, subject, version = 0) =>
      call('POST', `${subject}/approval`, { decision: 'approve', version }),
    reached: async (delivery) => {
      const read = async () => (await admin('GET', `/deliveries/${delivery}`)).json().data;
      await until('it to be over', async () => (await read()).completed_at !== null);
      return (await read()).total_subscribers;
    },
  };
}

export const rulesOf = (value: string) => ({
  match: 'all',
  conditions: [{ field: 'tag', key: 'plan', operator: 'equals', value }],
});
