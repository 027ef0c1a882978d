import { randomBytes } from 'node:crypto';

/** A message on its way to one subscription of one browser. */
export interface Pushed {
  readonly version: string;
  /** The body as it came, base64url. */
  readonly data: string;
  readonly untilMs: number;
}

export interface Waiting extends Pushed {
  readonly channelId: string;
}

export interface Agent {
  readonly id: string;
  /** Until they are acknowledged. */
  waiting: Waiting[];
  /** Null while the browser is unavailable. */
  deliver: ((messages: readonly Waiting[]) => void) | null;
}

interface Channel {
  readonly agent: Agent;
  readonly channelId: string;
  /** The `applicationServerKey` that it is bound to. */
  readonly key: string | null;
}

/** `gone`: the endpoint does not exist (any more). `stranger`: it is bound to another sender's key. */
export type PushEnding = 'taken' | 'gone' | 'stranger' | 'full';

/** Browsers by the name that they were given at their first hello, and their endpoints. */
export interface UserAgents {
  /** The browser of that name; a new one for an unknown name. */
  hello(uaid: string | undefined): Agent;
  /** @returns the endpoint's last part. */
  register(agent: Agent, channelId: string, key: string | null): string;
  unregister(agent: Agent, channelId: string): void;
  acknowledge(agent: Agent, versions: readonly string[]): void;
  /** @param isSender whether the message is signed with the key that the subscription is bound to. */
  push(endpoint: string, isSender: (key: string | null) => boolean, message: Pushed): PushEnding;
  /** As a push service that lost its books: every browser is a new one at its next hello. */
  forget(): void;
  acknowledged(): number;
  channels(): number;
}

/** For one browser that is away. */
const MAX_WAITING = 100;

export function createUserAgents(): UserAgents {
  const agents = new Map<string, Agent>();
  const endpoints = new Map<string, Channel>();
  let acknowledged = 0;
  return {
    hello(uaid) {
      const known = uaid === undefined ? undefined : agents.get(uaid);
      const agent = known ?? { id: randomBytes(16).toString('hex'), waiting: [], deliver: null };
      agents.set(agent.id, agent);
      return agent;
    },
    register(agent, channelId, key) {
      const endpoint = randomBytes(24).toString('base64url');
      endpoints.set(endpoint, { agent, channelId, key });
      return endpoint;
    },
    unregister(agent, channelId) {
      for (const [endpoint, channel] of endpoints) {
        if (channel.agent === agent && channel.channelId === channelId) endpoints.delete(endpoint);
      }
    },
    acknowledge(agent, versions) {
      const left = agent.waiting.filter(({ version }) => !versions.includes(version));
      acknowledged += agent.waiting.length - left.length;
      agent.waiting = left;
    },
    push(endpoint, isSender, message) {
      const channel = endpoints.get(endpoint);
      if (channel === undefined) return 'gone';
      if (!isSender(channel.key)) return 'stranger';
      const { agent, channelId } = channel;
      agent.waiting = agent.waiting.filter(({ untilMs }) => untilMs > Date.now());
      if (agent.waiting.length >= MAX_WAITING) return 'full';
      const waiting = { ...message, channelId };
      agent.waiting.push(waiting);
      agent.deliver?.([waiting]);
      return 'taken';
    },
    forget() {
      agents.clear();
      endpoints.clear();
    },
    acknowledged: () => acknowledged,
    channels: () => endpoints.size,
  };
}
