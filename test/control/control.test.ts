// tier: unit
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineState } from '../../engine/adapters/telemetry/metric-register.ts';
import { type EngineControl, startEngineControl } from '../../engine/control/control.ts';
import type { ControlSecret } from '../../engine/kit/roles/control-answer.ts';
import { type InternalServer, startInternalServer } from '../../engine/kit/roles/internal-server.ts';

/** Stages that note what is asked of them; closing one waits for `release`. */
function createStages() {
  const asked: string[] = [];
  let held: PromiseWithResolvers<void> | null = null;
  let broken = false;
  const stage = (name: string) => ({
    start: async () => {
      if (broken) throw new Error('the log is away');
      asked.push(`${name} starts`);
    },
    finish: async () => {
      asked.push(`${name} finishes`);
      await held?.promise;
    },
    close: async () => {
      asked.push(`${name} closes`);
      await held?.promise;
    },
  });
  return {
    asked,
    createDispatch: () => stage('dispatch'),
    createPlan: () => stage('plan'),
    hold: () => {
      held = Promise.withResolvers();
    },
    release: () => {
      held?.resolve();
      held = null;
    },
    break: (is: boolean) => {
      broken = is;
    },
  };
}

const servers: InternalServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close(0)));
});

async function start() {
  const stages = createStages();
  const errors: unknown[] = [];
  const control = await startEngineControl({
    ...stages,
    shardsInHand: () => 2,
    finishMs: 1_000,
    drainMs: 1_000,
    onState: () => {},
    onError: (error) => errors.push(error),
  });
  return { ...stages, control, errors };
}

const reaches = (control: EngineControl, state: EngineState) =>
  expect.poll(() => control.state(), { interval: 5 }).toBe(state);

describe('an engine under control', () => {
  it('paused takes no more shards, lets running ones end, and goes on planning', async () => {
    const { control, asked, hold, release } = await start();
    expect(control.state()).toBe('running');
    hold();
    control.pause();
    expect(control.state()).toBe('pausing');
    release();
    await reaches(control, 'paused');
    expect(asked.slice(2)).toEqual(['dispatch finishes']);
  });

  it('drained hands everything back, and resumed starts with new stages', async () => {
    const { control, asked } = await start();
    control.drain();
    await reaches(control, 'drained');
    control.resume();
    expect(control.state()).toBe('resuming');
    await reaches(control, 'running');
    expect(asked.slice(2).toSorted()).toEqual(
      ['dispatch closes', 'dispatch starts', 'plan closes', 'plan starts'].toSorted(),
    );
  });

  it('ends in the last requested state, however many requests came meanwhile', async () => {
    const { control, asked, hold, release } = await start();
    hold();
    control.pause();
    for (let time = 0; time < 1_000; time++) {
      control.drain();
      control.resume();
    }
    release();
    await reaches(control, 'running');
    expect(asked.slice(2)).toEqual(['dispatch finishes', 'dispatch starts']);
    control.pause();
    control.pause();
    await reaches(control, 'paused');
    control.drain();
    await reaches(control, 'drained');
    expect(asked.slice(4)).toEqual(['dispatch finishes', 'plan closes']);
  });

  it('stays paused, and reports it, where it cannot resume; the next request tries again', async () => {
    const { control, errors, break: setBroken } = await start();
    control.pause();
    await reaches(control, 'paused');
    setBroken(true);
    control.resume();
    await reaches(control, 'paused');
    expect(errors).toHaveLength(1);
    setBroken(false);
    control.resume();
    await reaches(control, 'running');
  });

  it('closes in the middle of a pause', async () => {
    const { control, hold, release, asked } = await start();
    hold();
    control.pause();
    const closed = control.close(100);
    release();
    await closed;
    expect(control.state()).toBe('drained');
    expect(asked).toContain('dispatch closes');
  });
});

describe('the internal listener', () => {
  async function serve(given?: EngineControl | null, secret: ControlSecret = null) {
    const control = given === undefined ? (await start()).control : given;
    const server = await startInternalServer({
      host: '127.0.0.1',
      port: 0,
      readiness: async () => ({ postgres: true }),
      metrics: async () => ({ contentType: 'text/plain', body: '' }),
      control: () => control,
      secret,
    });
    servers.push(server);
    const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(server.url + path, { method, headers });
      return [answer.status, await answer.json()] as const;
    };
    return { control, ask };
  }
  const said = { 'x-broadside-control': '1' };

  it('pauses, resumes and drains, and reports the state', async () => {
    const { control, ask } = await serve();
    expect(await ask('GET', '/state')).toEqual([200, { state: 'running', shards_in_hand: 2 }]);
    expect(await ask('POST', '/pause', said)).toEqual([202, { state: 'pausing', shards_in_hand: 2 }]);
    await expect.poll(() => ask('GET', '/state')).toMatchObject([200, { state: 'paused' }]);
    expect((await ask('GET', '/health/ready'))[0]).toBe(200);
    await ask('POST', '/drain', said);
    await expect.poll(() => control?.state()).toBe('drained');
    expect(await ask('GET', '/health/ready')).toEqual([503, { status: 'draining', checks: {} }]);
    await ask('POST', '/resume', said);
    await expect.poll(() => ask('GET', '/health/ready')).toMatchObject([200, { status: 'ready' }]);
  });

  it.each<[string, Record<string, string>]>([
    ['without the header', {}],
    ['from a page of another origin', { ...said, origin: 'https://evil.example' }],
    ['from a page that a browser vouches for', { ...said, 'sec-fetch-site': 'same-origin' }],
  ])('refuses a change %s', async (_, headers) => {
    const { control, ask } = await serve();
    for (const verb of ['/pause', '/resume', '/drain'])
      expect((await ask('POST', verb, headers))[0]).toBe(403);
    expect(control?.state()).toBe('running');
  });

  it('refuses changes where other machines reach it and no secret is set, and says how to resolve it', async () => {
    const { control, ask } = await serve(undefined, 'missing');
    for (const authorization of ['', 'Bearer missing', 'Bearer null', 'Bearer undefined']) {
      const [status, body] = await ask('POST', '/drain', { ...said, authorization });
      expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining('Set INTERNAL_SECRET')]);
    }
    expect(control?.state()).toBe('running');
    expect((await ask('GET', '/state'))[0]).toBe(200);
  });

  it('takes a change only with the secret, where there is one, and lets every caller read', async () => {
    const { control, ask } = await serve(undefined, { text: 'a-secret-of-operators' });
    const wrong = [
      '',
      'a-secret-of-operators',
      'Bearer ',
      'Bearer a-secret-of-operator',
      'Bearer a-secret-of-operatorsX',
    ];
    for (const authorization of wrong) {
      expect([authorization, ...(await ask('POST', '/drain', { ...said, authorization }))]).toEqual([
        authorization,
        401,
        { message: 'Send INTERNAL_SECRET as "Authorization: Bearer …".' },
      ]);
    }
    expect(control?.state()).toBe('running');
    expect((await ask('GET', '/state'))[0]).toBe(200);
    // The secret alone is not enough: a browser may have been given it.
    const authorization = 'Bearer a-secret-of-operators';
    expect((await ask('POST', '/drain', { authorization }))[0]).toBe(403);
    expect((await ask('POST', '/drain', { ...said, authorization }))[0]).toBe(202);
    await expect.poll(() => control?.state()).toBe('drained');
  });

  it('changes nothing on a GET, and is not there before the engine is', async () => {
    const { control, ask } = await serve();
    expect((await ask('GET', '/drain'))[0]).toBe(405);
    expect((await ask('POST', '/state', said))[0]).toBe(405);
    expect(control?.state()).toBe('running');
    const early = await serve(null);
    expect((await early.ask('GET', '/state'))[0]).toBe(503);
    expect((await early.ask('POST', '/drain', said))[0]).toBe(503);
  });
});
