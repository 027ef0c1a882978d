import { createECDH, randomBytes } from 'node:crypto';
import ece from 'http_ece';
import { connect } from './connection.ts';
import type { UserAgents } from './user-agents.ts';

/** The push client of a browser that cannot reach this service by itself. */
export interface Mailbox {
  /** As `PushSubscription.toJSON()` gives it. */
  readonly subscription: {
    readonly endpoint: string;
    readonly expirationTime: null;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  /** What came so far, as it was before it was encrypted. */
  readonly messages: readonly string[];
}

/** @param key the `applicationServerKey`, base64url. */
export function createMailbox(agents: UserAgents, urlOf: (endpoint: string) => string, key: string): Mailbox {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const auth = randomBytes(16);
  const messages: string[] = [];
  let endpoint = '';
  const hear = (said: object): void => {
    const { pushEndpoint, data, version } = said as {
      pushEndpoint?: string;
      data?: string;
      version?: string;
    };
    endpoint = pushEndpoint ?? endpoint;
    if (data === undefined) return;
    const body = Buffer.from(data, 'base64url');
    messages.push(
      ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth }).toString('utf8'),
    );
    connection.heard(JSON.stringify({ messageType: 'ack', updates: [{ version }] }));
  };
  const connection = connect(agents, urlOf, hear);
  connection.heard('{"messageType":"hello"}');
  connection.heard(JSON.stringify({ messageType: 'register', channelID: 'mailbox', key }));
  const p256dh = keys.getPublicKey().toString('base64url');
  return {
    subscription: { endpoint, expirationTime: null, keys: { p256dh, auth: auth.toString('base64url') } },
    messages,
  };
}
