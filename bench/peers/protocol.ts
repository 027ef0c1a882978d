/**
 * The protocol of a peer, in any language. It is started with the path of a job in JSON, reads it, and prints
 * `{"ready":true}`. For each line on its standard input it then sends the payload to every subscription of the
 * job once, and prints one answer in JSON. It ends when its standard input does.
 *
 * So its start, its compiler and the reading of the subscriptions are not part of its figures.
 */
export interface PeerJob {
  readonly subscriptions: readonly {
    readonly endpoint: string;
    /** `base64url`, as browsers give them. */
    readonly p256dh: string;
    readonly auth: string;
  }[];
  readonly payload: string;
  readonly ttl: number;
  /** How many messages may be under way at a time, where the peer can do more than one. */
  readonly concurrency: number;
  /** VAPID, RFC 8292; keys in base64url. */
  readonly subject: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

export interface PeerAnswer {
  readonly sent: number;
  readonly failed: number;
  /** The text of the first failure; empty or null without one. */
  readonly error: string | null;
  /** User and system time of its process, children included, for this round. */
  readonly cpu_us: number;
}
