// tier: postgres
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  findReportJob,
  insertReportJob,
  removeReportJob,
} from '../../../engine/adapters/postgres/report-jobs/jobs.ts';
import {
  findDeadParts,
  forgetPart,
  nameOfPart,
  notePart,
  removeOldJobs,
} from '../../../engine/adapters/postgres/report-jobs/parts.ts';
import {
  claimReportJob,
  failReportJob,
  finishReportJob,
  keepReportJob,
  releaseReportJob,
} from '../../../engine/adapters/postgres/report-jobs/runs.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { createReportToken, createReportUser, everything } from '../support.ts';

const test = await createTestDatabase();
afterAll(() => test.drop());
beforeEach(() => test.database.query('TRUNCATE report_jobs, report_job_parts CASCADE'));

async function newOwner(scope = everything, colleague: { readonly userId: number } | null = null) {
  const userId = await createReportUser(test.database);
  if (colleague !== null)
    await test.database.query(
      'UPDATE users SET organization_id = (SELECT organization_id FROM users WHERE id = $2) WHERE id = $1',
      [userId, colleague.userId],
    );
  const token = await createReportToken(test.database, scope, userId);
  return { userId, tokenId: Number(token.split('|')[0]) };
}

async function insert(owner: Awaited<ReturnType<typeof newOwner>>): Promise<number> {
  const id = await insertReportJob(test.database, owner, {});
  if (typeof id === 'string') throw new Error(id);
  return id;
}

async function claim() {
  const run = await claimReportJob(test.database);
  if (run === null) throw new Error('no job');
  return run;
}

const stateOf = async (id: number): Promise<unknown> => {
  const [row] = await test.database.query<{ state: string }>('SELECT state FROM report_jobs WHERE id = $1', [
    id,
  ]);
  return row?.state;
};
const endLease = () =>
  test.database.query(`UPDATE report_jobs SET lease_until = now() - interval '1 second'`);
const progress = { rows: 1, readShare: 0.5 };
const result = { rows: 1, meta: null, leftOut: [], oldRates: [] };
const space = { totalBytes: 100, organizationBytes: 80, userBytes: 60 };
const partOf = (run: { id: number; epoch: number; userId: number }, part: number, bytes: number) => ({
  ...run,
  ...{ part, kind: 'rows' as const, bytes, rows: 1 },
});

describe('claiming', () => {
  it('gives a job once, also to processes that ask at once', async () => {
    const owner = await newOwner();
    const ids = [await insert(owner), await insert(await newOwner())];
    const runs = await Promise.all(Array.from({ length: 6 }, () => claimReportJob(test.database)));
    expect(runs.flatMap((run) => (run === null ? [] : [run.id])).toSorted()).toEqual(ids.toSorted());
  });

  it('serves users in turn, and no user more than twice at a time', async () => {
    const [ada, bob, eve] = [await newOwner(), await newOwner(), await newOwner()];
    const owners = new Map<number, string>();
    for (const [owner, name, count] of [
      [ada, 'ada', 4],
      [bob, 'bob', 2],
      [eve, 'eve', 1],
    ] as const)
      for (let made = 0; made < count; made++) owners.set(await insert(owner), name);
    const order: (string | undefined)[] = [];
    for (
      let run = await claimReportJob(test.database);
      run !== null;
      run = await claimReportJob(test.database)
    )
      order.push(owners.get(run.id));
    expect(order).toEqual(['ada', 'bob', 'eve', 'ada', 'bob']);
  });

  it('serves organizations in turn, however many users one has', async () => {
    const ada = await newOwner();
    const others = [await newOwner(everything, ada), await newOwner(everything, ada)];
    const eve = await newOwner();
    const owners = new Map<number, string>();
    for (const [owner, name] of [
      [ada, 'ada'],
      ...others.map((other) => [other, 'colleague'] as const),
      [eve, 'eve'],
      [eve, 'eve'],
    ] as const)
      owners.set(await insert(owner), name);
    const order: (string | undefined)[] = [];
    for (let claimed = 0; claimed < 5; claimed++) {
      const run = await claim();
      order.push(owners.get(run.id));
      await finishReportJob(test.database, run, result);
    }
    expect(order).toEqual(['ada', 'eve', 'colleague', 'eve', 'colleague']);
  });

  it('leaves jobs of others their places, however many users an organization has', async () => {
    const ada = await newOwner();
    await test.database.query(
      `INSERT INTO report_jobs (token_id, user_id, request) SELECT $1, $2, '{}' FROM generate_series(1, 250)`,
      [ada.tokenId, ada.userId],
    );
    const colleague = await newOwner(everything, ada);
    expect(await insertReportJob(test.database, colleague, {})).toBe('organization');
    expect(await insertReportJob(test.database, await newOwner(), {})).toEqual(expect.any(Number));
  });

  it('takes over a job whose process shows no sign of life, and the first run writes no more', async () => {
    const id = await insert(await newOwner());
    const first = await claim();
    expect(await claimReportJob(test.database)).toBe(null);
    expect(await keepReportJob(test.database, first, progress)).toBe(true);
    await endLease();
    const second = await claim();
    expect([second.id, second.epoch]).toEqual([id, first.epoch + 1]);
    expect(await keepReportJob(test.database, first, progress)).toBe(false);
    expect(await notePart(test.database, partOf(first, 0, 1), space)).toBe('lost');
    expect(await finishReportJob(test.database, first, result)).toBe(false);
    await failReportJob(test.database, first, { message: 'late' });
    await releaseReportJob(test.database, first, true);
    expect(await stateOf(id)).toBe('running');
    expect(await finishReportJob(test.database, second, result)).toBe(true);
    await endLease();
    expect([await claimReportJob(test.database), await stateOf(id)]).toEqual([null, 'done']);
  });

  it('gives up a job that broke off three times', async () => {
    const id = await insert(await newOwner());
    await claim();
    await endLease();
    await claim();
    await endLease();
    await releaseReportJob(test.database, await claim(), true);
    expect(await stateOf(id)).toBe('failed');
    expect(await claimReportJob(test.database)).toBe(null);
  });

  it('counts no run against a job that was given back', async () => {
    const id = await insert(await newOwner());
    for (let turn = 0; turn < 5; turn++) await releaseReportJob(test.database, await claim(), false);
    expect(await stateOf(id)).toBe('queued');
  });
});

describe('the time left', () => {
  it('follows from how much was read since the run began, and is unknown before', async () => {
    const owner = await newOwner();
    const id = await insert(owner);
    const run = await claim();
    const left = async () => (await findReportJob(test.database, owner, everything, id))?.seconds_left;
    expect(await left()).toBe(null);
    await test.database.query(`UPDATE report_jobs SET started_at = now() - interval '60 seconds'`);
    await keepReportJob(test.database, run, { rows: 0, readShare: 0.75 });
    expect(await left()).toBeGreaterThanOrEqual(20);
    expect(await left()).toBeLessThanOrEqual(40);
  });
});

describe('the rights of a job', () => {
  it('are those of its token when it runs', async () => {
    const owner = await newOwner({ domains: ['a.example'], wholesalers: [], unrestricted: false });
    await insert(owner);
    await test.database.query(`UPDATE report_tokens SET domains = '{b.example}' WHERE id = $1`, [
      owner.tokenId,
    ]);
    expect((await claim()).scope).toEqual({ domains: ['b.example'], wholesalers: [], unrestricted: false });
  });

  it('that change meanwhile take it away from its run', async () => {
    const owner = await newOwner({ domains: ['a.example'], wholesalers: [], unrestricted: false });
    await insert(owner);
    const run = await claim();
    await test.database.query(`UPDATE report_tokens SET domains = '{b.example}' WHERE id = $1`, [
      owner.tokenId,
    ]);
    expect(await keepReportJob(test.database, run, progress)).toBe(false);
    expect(await finishReportJob(test.database, run, result)).toBe(false);
  });

  it.each([
    ['a revoked token', 'UPDATE report_tokens SET revoked_at = now() WHERE user_id = $1'],
    ['a deleted token', 'DELETE FROM report_tokens WHERE user_id = $1'],
    ['a deleted user', 'DELETE FROM users WHERE id = $1'],
    [
      'a token whose domains are no longer granted',
      'UPDATE report_tokens SET by_grant = true WHERE user_id = $1',
    ],
  ])('end with %s: neither the job nor its result stays', async (_what, statement) => {
    const owner = await newOwner({ domains: ['a.example'], wholesalers: [], unrestricted: false });
    const [done, running, waiting] = [await insert(owner), await insert(owner), await insert(owner)];
    const run = await claim();
    expect(await notePart(test.database, partOf(run, 0, 10), space)).toBe('noted');
    await finishReportJob(test.database, run, result);
    const second = await claim();
    await test.database.query(statement, [owner.userId]);
    expect(await keepReportJob(test.database, second, progress)).toBe(false);
    expect(await claimReportJob(test.database)).toBe(null);
    await removeOldJobs(test.database);
    expect(await Promise.all([done, running, waiting].map(stateOf))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await test.database.query(`UPDATE report_job_parts SET made_at = now() - interval '1 hour'`);
    expect(await findDeadParts(test.database)).toEqual([{ id: run.id, epoch: run.epoch, part: 0 }]);
  });
});

describe('room', () => {
  it('is bounded for a user and for all, and free again when a part is forgotten', async () => {
    const [ada, bob] = [await newOwner(), await newOwner()];
    await insert(ada);
    await insert(bob);
    const [first, second] = [await claim(), await claim()];
    expect(await notePart(test.database, partOf(first, 0, 60), space)).toBe('noted');
    expect(await notePart(test.database, partOf(first, 1, 1), space)).toBe('own');
    expect(await notePart(test.database, partOf(second, 0, 41), space)).toBe('all');
    await forgetPart(test.database, { ...first, part: 0 });
    expect(await notePart(test.database, partOf(second, 0, 41), space)).toBe('noted');
  });

  it('is bounded for an organization, however many users it has', async () => {
    const ada = await newOwner();
    const colleague = await newOwner(everything, ada);
    const eve = await newOwner();
    await insert(ada);
    const first = await claim();
    await insert(colleague);
    const second = await claim();
    await insert(eve);
    const other = await claim();
    expect(await notePart(test.database, partOf(first, 0, 60), space)).toBe('noted');
    expect(await notePart(test.database, partOf(second, 0, 21), space)).toBe('organization');
    expect(await notePart(test.database, partOf(second, 0, 20), space)).toBe('noted');
    expect(await notePart(test.database, partOf(other, 0, 20), space)).toBe('noted');
  });

  it('is given back seven days after the end of a job, and when its owner deletes it', async () => {
    const owner = await newOwner();
    const [old, deleted, kept] = [await insert(owner), await insert(owner), await insert(owner)];
    for (let made = 0; made < 3; made++) {
      const run = await claim();
      await notePart(test.database, partOf(run, 0, 10), space);
      await finishReportJob(test.database, run, result);
    }
    await test.database.query(
      `UPDATE report_jobs SET ended_at = now() - interval '7 days 1 second' WHERE id = $1`,
      [old],
    );
    await removeReportJob(test.database, owner, deleted);
    expect(await removeOldJobs(test.database)).toBe(1);
    expect(await findDeadParts(test.database)).toEqual([]);
    await test.database.query(`UPDATE report_job_parts SET made_at = now() - interval '6 minutes'`);
    const dead = await findDeadParts(test.database);
    expect(dead.map(({ id }) => id)).toEqual([old, deleted]);
    // One that its store does not remove keeps no room of those behind it.
    expect(await findDeadParts(test.database, dead.slice(0, 1).map(nameOfPart))).toEqual(dead.slice(1));
    expect(await stateOf(kept)).toBe('done');
  });
});

describe('the number of jobs', () => {
  it('is bounded: ten of a user that wait or run, and a hundred in all', async () => {
    const owner = await newOwner();
    for (let made = 0; made < 10; made++) await insert(owner);
    expect(await insertReportJob(test.database, owner, {})).toBe('own');
    await test.database.query(`UPDATE report_jobs SET state = 'done'`);
    await test.database.query(
      `INSERT INTO report_jobs (token_id, user_id, request, state) SELECT $1, $2, '{}', 'done' FROM generate_series(1, 90)`,
      [owner.tokenId, owner.userId],
    );
    expect(await insertReportJob(test.database, owner, {})).toBe('kept');
  });
});
