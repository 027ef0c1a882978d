// tier: postgres

import { afterAll, describe, expect, it } from 'vitest';
import { summaryOf } from '../../../../../api/cli/remote/watch-delivery.ts';
import { failureCode } from '../../../../../engine/contract/outcome.ts';
import type { BlockSent, SendBlock } from '../../../../../engine/worker/protocol.ts';
import { buildSubscriptions, readDelivery } from '../../../../support/builders.ts';
import {
  blockSent,
  createLogStore,
  startEngineHarness,
  until,
  wantedSeqs,
} from '../../../../support/engine-harness.ts';
import { appIdOf } from '../../../../support/subscriptions.ts';
import { appBody, deliveryBody, openWithMember } from '../../../support.ts';

/** Over two blocks. */
const SUBSCRIBERS = 1_500;
/** How many attempts get no answer, by seq; the next one is accepted. */
const unanswered: Readonly<Record<number, number>> = { 3: 1, 4: 2, 1100: 1, 1101: 3 };
const AMBIGUOUS = 7;

describe('a delivery with attempts that got no answer', async () => {
  const tries = new Map<number, number>();
  let holdsBack = true;

  /** The message left and no answer came, or it was refused before it left: only the first is ambiguous. */
  const send = async (task: SendBlock): Promise<BlockSent> => {
    const seqs = wantedSeqs(task);
    const failures: number[] = [];
    const sent = blockSent(seqs, (seq) => {
      const before = tries.get(seq) ?? 0;
      tries.set(seq, before + 1);
      const isRefused = seq === 9 && before === 0;
      const isUnanswered = before < (unanswered[seq] ?? 0);
      // Waits while the test checks the delivery.
      const isHeld = seq === 1_499 && holdsBack;
      failures.push(isUnanswered ? failureCode.unknown : isRefused ? failureCode.refused : failureCode.none);
      if (isHeld) return 'throttled';
      return isUnanswered || isRefused ? 'unreachable' : 'accepted';
    });
    return { ...sent, failures: Uint8Array.from(failures) };
  };

  const { api, call } = await openWithMember();
  const { identifier } = (await call('POST', '/apps', appBody())).json().data;
  const app = `/apps/${identifier}`;
  const appId = await appIdOf(api.database, identifier);
  await buildSubscriptions(api.database, appId, SUBSCRIBERS);
  const engine = await startEngineHarness({
    ...{ database: api.database, logStore: createLogStore(), sender: { sendBlock: send } },
    maxAttempts: 1_000,
  });
  const id = (await call('POST', `${app}/deliveries`, deliveryBody())).json().data.id;
  afterAll(() => engine.close());

  const read = async (path = '') => (await call('GET', `${app}/deliveries/${id}${path}`)).json().data;

  it('counts each of them once, while it runs and after it completed', async () => {
    await until('all but one to be accepted', async () => (await read()).success_count === SUBSCRIBERS - 1);
    expect(await read()).toMatchObject({ status: 'processing', failed_count: 0, ambiguous: AMBIGUOUS });
    expect(await read('/progress')).toMatchObject({ ambiguous: AMBIGUOUS });
    holdsBack = false;
    await until('it to complete', async () => (await readDelivery(api.database, id)).status === 'success');
    const ended = await read();
    expect(ended).toMatchObject({ success_count: SUBSCRIBERS, failed_count: 0, ambiguous: AMBIGUOUS });
    expect(await read('/progress')).toMatchObject({ ambiguous: AMBIGUOUS });
    const listed = (await call('GET', `${app}/deliveries`)).json().data;
    expect(listed).toMatchObject([{ id, ambiguous: AMBIGUOUS }]);
    expect(summaryOf(ended).join()).toContain('7 attempts without an answer, which may have arrived');
  });

  it('keeps the count where its shards are counted no more', async () => {
    await api.database.query(`UPDATE shards SET unknown_count = 0 WHERE delivery_id = $1`, [id]);
    expect(await read()).toMatchObject({ ambiguous: AMBIGUOUS });
  });

  it('is not mentioned where every request was answered', async () => {
    expect(summaryOf({ ...(await read()), ambiguous: 0 }).join()).not.toContain('without an answer');
  });
});
