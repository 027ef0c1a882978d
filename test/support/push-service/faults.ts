import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { serviceKinds } from './options.ts';

const closed = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
const ms = Type.Integer({ minimum: 0, maximum: 600_000 });

const action = Type.Union([
  /** Any answer. 2xx counts as accepted. `retryAfter`: seconds, or the header's text. */
  closed({
    kind: Type.Literal('status'),
    status: Type.Integer({ minimum: 200, maximum: 599 }),
    retryAfter: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.String()])),
    reason: Type.Optional(Type.String({ maxLength: 1_000 })),
  }),
  /** 429, or 406 where the origin plays WNS. */
  closed({
    kind: Type.Literal('throttle'),
    retryAfter: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.String()])),
  }),
  /** The request is read and never answered. */
  closed({ kind: Type.Literal('hang') }),
  /** REFUSED_STREAM comes before the body is read: the message was not processed (RFC 9113, 8.7). */
  closed({
    kind: Type.Literal('stream-reset'),
    code: Type.Union([
      Type.Literal('REFUSED_STREAM'),
      Type.Literal('INTERNAL_ERROR'),
      Type.Literal('ENHANCE_YOUR_CALM'),
    ]),
  }),
  /**
   * `graceful`: streams up to this one are finished, this one too. `abrupt`: the last stream id is below
   * this stream, which with all later ones was not processed; not applied to a connection's first stream,
   * below which there is none to name.
   */
  closed({
    kind: Type.Literal('goaway'),
    manner: Type.Union([Type.Literal('graceful'), Type.Literal('abrupt')]),
  }),
  /** TCP RST under everything in flight on the connection. */
  closed({ kind: Type.Literal('connection-reset') }),
  /** The body is read this late: it waits in the connection's flow-control window, and may fill it. */
  closed({ kind: Type.Literal('slow-read'), ms }),
  /** The status comes at once and the answer's body this much later; 2xx counts as accepted. */
  closed({
    kind: Type.Literal('slow-body'),
    status: Type.Integer({ minimum: 200, maximum: 599 }),
    ms,
  }),
  /** Answers late; other faults still apply. */
  closed({ kind: Type.Literal('latency'), ms, jitterMs: Type.Optional(ms) }),
]);

const faultRule = closed({
  action,
  /** Subscribers from (inclusive) … */
  from: Type.Optional(Type.Integer({ minimum: 0 })),
  /** … to (exclusive). */
  to: Type.Optional(Type.Integer({ minimum: 0 })),
  indexes: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1, maxItems: 10_000 })),
  service: Type.Optional(Type.Enum([...serviceKinds])),
  /** This share of messages, drawn from seed, index and how often that index was seen. */
  rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** Only the next matching messages, up to this number. */
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Only messages beyond this number within a minute, as Chrome's push service limits a site. */
  beyondPerMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** Only while an index was received less often than this in the current run: 1 spares every retry. */
  attempts: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The message counts as accepted, and then this happens instead of the answer: the ambiguous case. */
  afterAccept: Type.Optional(Type.Boolean()),
});

const faultPlan = closed({
  /** The first rule that matches decides; latency rules add up before it. */
  rules: Type.Array(faultRule, { maxItems: 256 }),
  /** A new SETTINGS_MAX_CONCURRENT_STREAMS for every connection, open ones too. */
  maxConcurrentStreams: Type.Optional(Type.Integer({ minimum: 1 })),
});

export type FaultAction = Static<typeof action>;
export type FaultRule = Static<typeof faultRule>;
export type FaultPlan = Static<typeof faultPlan>;

export const faultKinds = [
  'status',
  'throttle',
  'hang',
  'stream-reset',
  'goaway',
  'connection-reset',
  'slow-read',
  'slow-body',
] as const;
export type DecisiveAction = Exclude<FaultAction, { kind: 'latency' }>;

const check = Compile(faultPlan);

/** @throws Error naming the first thing that does not fit. */
export function parseFaultPlan(raw: unknown): FaultPlan {
  if (!check.Check(raw)) {
    const [first] = check.Errors(raw);
    throw new Error(`faults${first?.instancePath} ${first?.message}`);
  }
  if (raw.rules.some((rule) => rule.afterAccept === true && isRefusal(rule.action))) {
    throw new Error('faults/rules: a message told to be unprocessed cannot be accepted before');
  }
  return raw;
}

/** The client learns that the message was never processed, so it must happen before anything else. */
export const isRefusal = (action: FaultAction): boolean =>
  (action.kind === 'stream-reset' && action.code === 'REFUSED_STREAM') ||
  (action.kind === 'goaway' && action.manner === 'abrupt');
