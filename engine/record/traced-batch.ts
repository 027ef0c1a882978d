import type { Span, Tracing } from '../adapters/telemetry/tracing.ts';
import type { InsertEnding } from '../contract/insert-ending.ts';
import type { LogRecord } from '../contract/log.ts';
import { type Traceparent, traceIdOf } from '../contract/trace-context.ts';

type RecordBatch = (record: LogRecord<'outcomes'>) => Promise<InsertEnding>;

/** A batch mixes the blocks of many deliveries: beyond this number of traces, the rest does not show its insert. */
const MAX_TRACES = 16;

/**
 * A span around each insert, once in every trace whose outcomes the batch holds: below the first of its blocks
 * there, and linked to all of them. A batch without spans is not traced.
 */
export function tracedBatch(tracing: Tracing, recordBatch: RecordBatch): RecordBatch {
  if (!tracing.enabled) return recordBatch;
  return async (record) => {
    const { blocks, traceparents = [] } = record.value;
    const spans = [...byTrace(traceparents)].slice(0, MAX_TRACES).map(([, links]) =>
      tracing.start('record batch', {
        parent: links[0],
        links,
        attributes: { 'broadside.attempt': record.attempt, 'broadside.blocks': blocks.length },
      }),
    );
    try {
      const ending = await recordBatch(record);
      for (const span of spans) endWith(span, ending);
      return ending;
    } catch (error) {
      for (const span of spans) span.end({}, 'refused');
      throw error;
    }
  };
}

function endWith(span: Span, ending: InsertEnding): void {
  if (ending.kind === 'away') span.end({ 'broadside.ending': ending.kind }, 'ClickHouse is away');
  else span.end({ 'broadside.ending': ending.kind, 'broadside.rows': ending.rows });
}

const byTrace = (traceparents: readonly Traceparent[]): Map<string, Traceparent[]> =>
  Map.groupBy(traceparents, traceIdOf);
