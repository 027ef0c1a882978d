import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { createAnswer } from './answer.ts';
import type { Certificate } from './certificate.ts';
import { createCheckRequest } from './check-request.ts';
import { createCheckVapid } from './check-vapid.ts';
import type { FaultPlan } from './faults.ts';
import { openLedger } from './ledger.ts';
import { createMatchFaults } from './match-faults.ts';
import { createMessageMemory } from './message-memory.ts';
import type { CompiledOptions, PushServiceOrigin } from './options.ts';
import { createReadMessage } from './read-message.ts';
import { createReceiveMessage, type ReceiveMessage } from './receive-message.ts';
import { createReceiveRequest, type ReceiveRequest } from './receive-request.ts';
import { serveControl } from './serve-control.ts';
import { type OriginServer, serveOrigin } from './serve-origin.ts';
import { serviceManners } from './services.ts';
import { createSilentPushes } from './silent-pushes.ts';
import { createSubscriberFactory } from './subscriber.ts';

/** What the process says when it listens. */
export interface ReadyLine {
  readonly pid: number;
  readonly origins: readonly PushServiceOrigin[];
  readonly caFile: string;
  readonly controlUrl: string;
}

export interface RunningPushService {
  readonly ready: ReadyLine;
  /** Cuts all connections, writes the ledger out. */
  close(): Promise<void>;
}

/** Composes the double and starts listening. @throws the first error of a listener. */
export async function runPushService(
  options: CompiledOptions,
  certificate: Certificate,
): Promise<RunningPushService> {
  const kinds = options.origins.map((origin) => origin.kind);
  const ledger = openLedger(options.directory, kinds, options.durable);
  const memory = createMessageMemory();
  const faults = createMatchFaults(options.seed, options.poisoned);
  const servers: OriginServer[] = [];
  const origins: PushServiceOrigin[] = [];
  let receivers: ReceiveMessage[] = [];
  let requestReceivers: ReceiveRequest[] = [];

  function onRequest(number: number, request: IncomingMessage, response: ServerResponse): void {
    const receive = requestReceivers[number];
    if (receive === undefined) request.destroy();
    else receive(request, response);
  }

  for (const [number, { kind, host, port, share }] of options.origins.entries()) {
    const server = await serveOrigin({
      certificate,
      port,
      maxConcurrentStreams: options.maxConcurrentStreams,
      onStream(stream, headers) {
        const receive = receivers[number];
        // After a restart on the ports of before, senders come back while the other origins still bind.
        if (receive === undefined) stream.close(constants.NGHTTP2_REFUSED_STREAM);
        else receive(stream, headers);
      },
      onRequest: options.http1 ? (request, response) => onRequest(number, request, response) : null,
    });
    servers.push(server);
    origins.push({ kind, host, port: server.port, share, url: `https://${host}:${server.port}` });
  }

  const subscribers = createSubscriberFactory({ seed: options.seed, origins, keyPairs: options.keyPairs });
  const reader = createReadMessage(options, subscribers);
  const shared = origins.map(({ kind, url }, number) => {
    const checkRequest = createCheckRequest(
      kind,
      createCheckVapid(options.audienceWithoutPort ? [url, withoutPort(url)] : [url]),
    );
    return { number, kind, subscribers, checkRequest, ledger, reader };
  });
  requestReceivers = shared.map(createReceiveRequest);
  receivers = shared.map((deps) => {
    const { kind, number } = deps;
    const answer = createAnswer(kind, (session) => servers[number]?.resetConnection(session));
    const silentPushes = createSilentPushes(serviceManners[kind]);
    return createReceiveMessage({ ...deps, faults, memory, answer, silentPushes });
  });

  function setFaults(plan: FaultPlan): void {
    faults.setRules(plan.rules);
    const streams = plan.maxConcurrentStreams ?? options.maxConcurrentStreams;
    for (const server of servers) server.setMaxConcurrentStreams(streams);
  }

  const control = await serveControl({ port: options.controlPort, ledger, memory, setFaults });
  const controlUrl = `http://127.0.0.1:${control.port}`;
  return {
    ready: { pid: process.pid, origins, caFile: certificate.caFile, controlUrl },
    async close() {
      control.close();
      await Promise.all(servers.map((server) => server.close()));
      ledger.close();
    },
  };
}

function withoutPort(origin: string): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}`;
}
