import type { Agent, UserAgents, Waiting } from './user-agents.ts';

/** One browser's WebSocket, or a stand-in. */
export interface Connection {
  heard(text: string): void;
  left(): void;
}

/** What Firefox says; other kinds of message are ignored: its broadcasts are never new here. */
interface Heard {
  readonly messageType?: string;
  readonly uaid?: string;
  readonly channelID?: string;
  /** Base64url. */
  readonly key?: string;
  readonly updates?: readonly { readonly version: string }[];
}

/** The service's side of Mozilla's protocol: https://mozilla-push-service.readthedocs.io/en/latest/design/. */
export function connect(
  agents: UserAgents,
  urlOf: (endpoint: string) => string,
  send: (message: object) => void,
): Connection {
  let agent: Agent | null = null;

  const deliver = (messages: readonly Waiting[]): void => {
    for (const { channelId, version, data } of messages) {
      const headers = { encoding: 'aes128gcm' };
      send({ messageType: 'notification', channelID: channelId, version, ttl: 60, data, headers });
    }
  };

  function hello({ messageType, uaid }: Heard): void {
    agent = agents.hello(uaid);
    agent.deliver = deliver;
    send({ messageType, status: 200, uaid: agent.id, use_webpush: true, broadcasts: {} });
    deliver(agent.waiting);
  }

  function heardOf(known: Agent, { messageType, channelID = '', key, updates = [] }: Heard): void {
    if (messageType === 'register') {
      const pushEndpoint = urlOf(agents.register(known, channelID, key ?? null));
      send({ messageType, status: 200, channelID, pushEndpoint });
    }
    if (messageType === 'unregister') {
      agents.unregister(known, channelID);
      send({ messageType, status: 200, channelID });
    }
    if (messageType === 'ack')
      agents.acknowledge(
        known,
        updates.map(({ version }) => version),
      );
  }

  return {
    heard(text) {
      // A browser that checks the connection.
      if (text === '{}') return send({});
      const said = JSON.parse(text) as Heard;
      if (said.messageType === 'hello') hello(said);
      else if (agent !== null) heardOf(agent, said);
    },
    left() {
      if (agent?.deliver === deliver) agent.deliver = null;
    },
  };
}
