// tier: system
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTracing } from '../../engine/adapters/telemetry/open-tracing.ts';
import type { Span, Tracing } from '../../engine/adapters/telemetry/tracing.ts';
import { isSampled, type Traceparent, traceIdOf } from '../../engine/contract/trace-context.ts';
import { repositoryRoot } from '../architecture/temporary-tree.ts';
import { type Collector, startCollector } from '../support/collector.ts';
import { until } from '../support/engine-harness.ts';

const run = promisify(execFile);
const settings = { otlpHeaders: [], serviceName: 'broadside', traceRatio: 1 };
const PARENT = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` as Traceparent;
const UNSAMPLED = PARENT.replace(/1$/, '0') as Traceparent;

describe('traces', () => {
  let collector: Collector;
  let warnings: string[];
  let opened: Tracing[];
  beforeEach(async () => {
    collector = await startCollector();
    warnings = [];
    opened = [];
  });
  afterEach(async () => {
    for (const tracing of opened) await tracing.close(0);
    await collector.close();
  });

  const open = async (given: { url?: string | null; traceRatio?: number } = {}): Promise<Tracing> => {
    const { url = collector.url, traceRatio = 1 } = given;
    const warn = (_fields: object, message: string) => void warnings.push(message);
    const logger = { debug: () => {}, info: () => {}, warn, error: () => {} };
    const tracing = await openTracing({ ...settings, otlpEndpoint: url, traceRatio }, 'engine', logger);
    opened.push(tracing);
    return tracing;
  };

  it('are nothing without an endpoint', async () => {
    const tracing = await open({ url: null });
    expect(tracing.enabled).toBe(false);
    expect(tracing.start('send block', { parent: PARENT }).traceparent).toBeNull();
  });

  it('go on below the parent they are given, with their attributes and links', async () => {
    const tracing = await open();
    const span = tracing.start('send block', {
      parent: PARENT,
      links: [PARENT],
      attributes: { 'broadside.block': 7 },
    });
    span.end({ 'broadside.ending': 'ended' });
    span.end({ 'broadside.ending': 'again' });
    await tracing.close(5_000);
    expect(collector.spans()).toMatchObject([
      {
        name: 'send block',
        traceId: 'ab'.repeat(16),
        parentSpanId: 'cd'.repeat(8),
        links: [{ spanId: 'cd'.repeat(8) }],
        attributes: { 'broadside.block': 7, 'broadside.ending': 'ended' },
        failed: false,
      },
    ]);
  });

  it('are kept or not as the caller decided, whatever the share is', async () => {
    const none = await open({ traceRatio: 0 });
    none.start('send block', { parent: PARENT }).end();
    none.start('plan delivery').end();
    const all = await open();
    const unwanted = all.start('record batch', { parent: UNSAMPLED });
    unwanted.end();
    await Promise.all([none.close(5_000), all.close(5_000)]);
    expect(collector.spans().map(({ name }) => name)).toEqual(['send block']);
    const { traceparent } = unwanted;
    // The next service learns that the trace is not kept, and begins no other one.
    expect(traceparent !== null && !isSampled(traceparent) && traceIdOf(traceparent)).toBe('ab'.repeat(16));
  });

  it('wait in a queue with a bound, and hold nothing up, while the endpoint hangs', async () => {
    const silent = await startCollector(null);
    const tracing = await open({ url: silent.url });
    const spans: Span[] = Array.from({ length: 10_000 }, () => tracing.start('send block'));
    for (const span of spans) span.end();
    const closing = tracing.close(300);
    const patience = new Promise((resolve) => setTimeout(resolve, 8_000, 'too late'));
    expect(await Promise.race([closing.then(() => 'closed'), patience])).toBe('closed');
    await silent.close();
  });

  it('are lost beyond the bound of the queue, and the others arrive', async () => {
    const tracing = await open();
    for (let sent = 0; sent < 10_000; sent++) tracing.start('send block').end();
    await tracing.close(10_000);
    expect(collector.spans().length).toBeGreaterThan(2_000);
    expect(collector.spans().length).toBeLessThan(3_000);
  });

  it('that cannot be exported are logged once', async () => {
    const refusing = await startCollector(400);
    const tracing = await open({ url: refusing.url });
    for (let sent = 0; sent < 1_500; sent++) tracing.start('send block').end();
    await tracing.close(10_000);
    await until('a second refusal', () => refusing.requests().length > 1);
    expect(warnings).toEqual(['traces are lost: their endpoint does not take them']);
    await refusing.close();
  });

  /** Which packages of OpenTelemetry a process has loaded after it ran the code. */
  const loadedBy = async (code: string): Promise<string[]> => {
    const watch = `import { registerHooks } from 'node:module';
      const loaded = new Set();
      registerHooks({ load: (url, context, next) => {
        const [, name] = /node_modules\\/(@opentelemetry\\/[^/]+)/.exec(url) ?? [];
        if (name) loaded.add(name);
        return next(url, context);
      } });
      ${code}
      console.log(JSON.stringify([...loaded]));`;
    const args = ['--input-type=module', '--eval', watch];
    const { stdout } = await run(process.execPath, args, { cwd: repositoryRoot });
    return JSON.parse(stdout) as string[];
  };
  const opening = (endpoint: string | null) => `
    const { openTracing } = await import('./engine/adapters/telemetry/open-tracing.ts');
    const settings = { otlpEndpoint: ${JSON.stringify(endpoint)}, otlpHeaders: [], serviceName: 'b', traceRatio: 1 };
    const tracing = await openTracing(settings, 'engine', { warn() {}, info() {} });
    tracing.start('send block').end();
    await tracing.close(0);`;

  it('load none of their libraries without an endpoint, in any role', async () => {
    const roles = `await import('./engine/compose/main.ts'); await import('./api/up/up.ts'); await import('./reporting/main.ts');`;
    const loaded = await loadedBy(roles + opening(null));
    // prom-client brings the bare interfaces along.
    expect(loaded.filter((name) => name !== '@opentelemetry/api')).toEqual([]);
  });

  it('would be seen to load them with one', async () => {
    expect(await loadedBy(opening(collector.url))).toContain('@opentelemetry/sdk-trace');
  });
});
