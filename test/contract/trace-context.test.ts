// tier: unit
import { describe, expect, it } from 'vitest';
import { parseOtlpHeaders } from '../../engine/contract/settings/otlp-headers.ts';
import { parseTopicValue } from '../../engine/contract/topics.ts';
import { isSampled, parseTraceparent, spanIdOf, traceIdOf } from '../../engine/contract/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const GIVEN = `00-${TRACE}-${SPAN}-01`;

describe('a traceparent', () => {
  it('is read into its parts', () => {
    const read = parseTraceparent(GIVEN);
    if (read === null) throw new Error('not read');
    expect([read, traceIdOf(read), spanIdOf(read), isSampled(read)]).toEqual([GIVEN, TRACE, SPAN, true]);
  });

  it.each([
    ['unsampled', `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
    ['with flags of a later level', `00-${TRACE}-${SPAN}-03`, GIVEN],
    ['of a later version', `01-${TRACE}-${SPAN}-01`, GIVEN],
    ['of a later version that says more', `cc-${TRACE}-${SPAN}-01-what-comes`, GIVEN],
  ])('%s is carried on in version 00', (_what, given, carried) => {
    expect(parseTraceparent(given)).toBe(carried);
  });

  it.each([
    ['nothing', undefined],
    ['two headers', [GIVEN, GIVEN]],
    ['an empty text', ''],
    ['the version that stands for none', `ff-${TRACE}-${SPAN}-01`],
    ['more than version 00 may say', `${GIVEN}-more`],
    ['a trace of zeroes', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeroes', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a short one', `00-${TRACE}-${SPAN}-1`],
    ['no dash after a later version', `01-${TRACE}-${SPAN}-01x`],
    ['a long one', `01-${TRACE}-${SPAN}-01-${'x'.repeat(512)}`],
    ['something before it', ` ${GIVEN}`],
  ])('is not read from %s', (_what, given) => {
    expect(parseTraceparent(given)).toBeNull();
  });

  it('travels on messages in one shape only', () => {
    expect(parseTopicValue('deliveries', { delivery_id: 1, traceparent: GIVEN })).not.toBeNull();
    expect(parseTopicValue('deliveries', { delivery_id: 1 })).not.toBeNull();
    expect(
      parseTopicValue('shards.bulk', { shard_id: 1, delivery_id: 1, app_id: 1, traceparent: 'x' }),
    ).toBeNull();
  });
});

describe('OTEL_EXPORTER_OTLP_HEADERS', () => {
  it('are names and percent-encoded values', () => {
    expect(parseOtlpHeaders(['authorization=Basic%20YTpi', ' x-tenant = a%2Cb='])).toEqual({
      authorization: 'Basic YTpi',
      'x-tenant': 'a,b=',
    });
  });

  it.each(['alone', '=value', 'na me=value', 'name=%', 'name=a%0D%0Ab'])('are not %j', (given) => {
    expect(parseOtlpHeaders([given])).toBeNull();
  });
});
