import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** The push services the double can play; what differs between them is in `services.ts`. */
export const serviceKinds = ['fcm', 'mozilla', 'wns', 'apple'] as const;
export type ServiceKind = (typeof serviceKinds)[number];

const originOptions = Type.Object(
  {
    kind: Type.Enum([...serviceKinds]),
    /** 0: any free port. `restart` keeps the port it had, so endpoints stay valid. */
    port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
    /** The name in endpoints and in the certificate; any but the default needs a client that resolves it. */
    host: Type.Optional(Type.String({ minLength: 1 })),
    /** The number of subscribers of each round over all origins that live here. Default 1. */
    share: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  },
  { additionalProperties: false },
);
export type OriginOptions = Static<typeof originOptions>;

const optionsSchema = Type.Object(
  {
    /** Everything derived (keys, endpoints, samples, random faults) follows from it. */
    seed: Type.Optional(Type.String({ minLength: 1 })),
    /** Default: one origin of each kind. */
    origins: Type.Optional(Type.Array(originOptions, { minItems: 1, maxItems: 64 })),
    /** Which messages are decrypted: those of one index in N, all (the default) or none. */
    verify: Type.Optional(
      Type.Union([Type.Literal('none'), Type.Literal('all'), Type.Integer({ minimum: 1 })]),
    ),
    /** Every message is in the ledger's file before it is answered; otherwise within 50 ms. */
    durable: Type.Optional(Type.Boolean()),
    /** Bench only: the number of real key pairs shared by all subscribers. 0 (default): one each. */
    keyPairs: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    /** Where certificate and ledger live. Default: a temporary directory, removed by `stop`. */
    directory: Type.Optional(Type.String({ minLength: 1 })),
    controlPort: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
    /** SETTINGS_MAX_CONCURRENT_STREAMS; FCM grants 100, so does the double. */
    maxConcurrentStreams: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Bench only: HTTP/1.1 is offered beside HTTP/2, without faults. Otherwise it is refused, uncounted. */
    http1: Type.Optional(Type.Boolean()),
    /** Takes tokens whose audience lacks the port too: some libraries never met a push service with another than 443. */
    audienceWithoutPort: Type.Optional(Type.Boolean()),
    /** Endpoints that nothing is ever accepted at: subscribers from (inclusive) … to (exclusive). */
    poisoned: Type.Optional(
      Type.Array(
        Type.Object({
          from: Type.Integer({ minimum: 0 }),
          to: Type.Integer({ minimum: 0 }),
          status: Type.Integer({ minimum: 400, maximum: 499 }),
        }),
        { maxItems: 8 },
      ),
    ),
    /** Where a decrypted notification names its delivery, dotted. Not there: the plaintext's digest counts. */
    deliveryIdPath: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);
export type PushServiceOptions = Static<typeof optionsSchema>;

/** Options with every default filled in. */
export interface CompiledOptions {
  readonly seed: string;
  readonly origins: readonly Required<OriginOptions>[];
  readonly verify: 'none' | 'all' | number;
  readonly durable: boolean;
  readonly keyPairs: number;
  readonly directory: string;
  readonly controlPort: number;
  readonly maxConcurrentStreams: number;
  readonly http1: boolean;
  readonly audienceWithoutPort: boolean;
  readonly deliveryIdPath: string;
  readonly poisoned: readonly { readonly from: number; readonly to: number; readonly status: number }[];
}

const checkOptions = Compile(optionsSchema);

/** @throws Error naming the first option that does not fit, or that `directory` is missing. */
export function compileOptions(raw: unknown): CompiledOptions {
  if (!checkOptions.Check(raw)) {
    const [first] = checkOptions.Errors(raw);
    throw new Error(`push service double: options${first?.instancePath} ${first?.message}`);
  }
  if (raw.directory === undefined) throw new Error('push service double: options/directory is missing');
  const origins = raw.origins ?? serviceKinds.map((kind) => ({ kind }));
  return Object.freeze({
    seed: raw.seed ?? 'broadside',
    origins: origins.map((origin) => ({ port: 0, host: '127.0.0.1', share: 1, ...origin })),
    verify: raw.verify ?? 'all',
    durable: raw.durable ?? false,
    keyPairs: raw.keyPairs ?? 0,
    directory: raw.directory,
    controlPort: raw.controlPort ?? 0,
    maxConcurrentStreams: raw.maxConcurrentStreams ?? 100,
    http1: raw.http1 ?? false,
    audienceWithoutPort: raw.audienceWithoutPort ?? false,
    deliveryIdPath: raw.deliveryIdPath ?? 'notification.data.delivery_id',
    poisoned: raw.poisoned ?? [],
  });
}

/** An origin that listens. */
export interface PushServiceOrigin {
  readonly kind: ServiceKind;
  /** `https://host:port`, the audience of VAPID tokens. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly share: number;
}
