import type { Body } from '../../../../http-client/client.ts';
import { type Api, dataOf } from '../http/api.ts';

export type Decision = Body<'/api/v1/client/apps/{identifier}/deliveries/{delivery_id}/approval', 'post'>;

/** What is decided about. */
export interface Subject {
  readonly kind: 'delivery' | 'campaign';
  readonly id: number;
  /** As it was read: what was changed since is not decided. */
  readonly version: number;
  readonly approval: Approval | null;
}

export interface Approval {
  readonly state: 'waiting' | 'approved' | 'declined';
  readonly authors: readonly string[];
  readonly decided_at: string | null;
  readonly decided_by: string | null;
  readonly note: string | null;
  /** Of its segment, as they were approved. */
  readonly rules: Readonly<Record<string, unknown>> | null;
}

export async function decide(
  api: Api,
  app: string,
  { kind, id, version }: Subject,
  given: Omit<Decision, 'version'>,
): Promise<void> {
  const body = { ...given, version };
  if (kind === 'delivery')
    await dataOf(
      api.POST('/api/v1/client/apps/{identifier}/deliveries/{delivery_id}/approval', {
        params: { path: { identifier: app, delivery_id: String(id) } },
        body,
      }),
    );
  else
    await dataOf(
      api.POST('/api/v1/client/apps/{identifier}/campaigns/{campaign_id}/approval', {
        params: { path: { identifier: app, campaign_id: String(id) } },
        body,
      }),
    );
}
