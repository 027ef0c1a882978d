import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../engine/adapters/postgres/free-port.ts';
import { makeAuthority } from '../authority.ts';
import { type KafkaBroker, newClusterId, startKafkaBroker } from '../kafka-broker.ts';
import type { Properties } from './properties.ts';

/**
 * Three KRaft nodes on loopback, each broker and controller, so that one may be away. Clients come over SASL_SSL as
 * `alice` with SCRAM-SHA-512 and the password `alice-secret`; brokers reach each other without.
 */
export interface KafkaCluster {
  readonly brokers: readonly ClusterBroker[];
  readonly caFile: string;
  stop(): Promise<void>;
}

export interface ClusterBroker extends KafkaBroker {
  readonly id: number;
  /** Without TLS and log-in; for the test itself. */
  readonly plainAddress: string;
}

const BROKERS = 3;

/** Up in about 6 s on two cores. */
export async function startKafkaCluster(): Promise<KafkaCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-cluster-'));
  const authority = await makeAuthority();
  const { cert, key } = await authority.issue({ name: 'broker', hosts: ['127.0.0.1'] });
  const caFile = join(folder, 'ca.pem');
  const keyStore = join(folder, 'broker.pem');
  await writeFile(caFile, authority.cert);
  await writeFile(keyStore, [key, cert, authority.cert].join('\n'), { mode: 0o600 });
  const nodes: Node[] = [];
  for (let id = 1; id <= BROKERS; id++) {
    nodes.push({ id, port: await freePort(), plainPort: await freePort(), controllerPort: await freePort() });
  }
  const voters = nodes.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`).join(',');
  const clusterId = newClusterId();
  const brokers = await Promise.all(
    nodes.map(async (node) => {
      const broker = await startKafkaBroker({
        port: node.port,
        controllerPort: node.controllerPort,
        clusterId,
        scramUsers: [{ mechanism: 'SCRAM-SHA-512', name: 'alice', password: 'alice-secret' }],
        properties: propertiesOf(node, voters, keyStore),
      });
      return { ...broker, id: node.id, plainAddress: `127.0.0.1:${node.plainPort}` };
    }),
  );
  return {
    brokers,
    caFile,
    stop: async () => {
      // By force: one that ends in order waits for a majority that is gone.
      await Promise.all(brokers.map((broker) => broker.kill()));
      await Promise.all(brokers.map((broker) => broker.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Node {
  readonly id: number;
  readonly port: number;
  readonly plainPort: number;
  readonly controllerPort: number;
}

function propertiesOf(
  { id, port, plainPort, controllerPort }: Node,
  voters: string,
  keyStore: string,
): Properties {
  const forClients = [`CLIENTS://127.0.0.1:${port}`, `PLAINTEXT://127.0.0.1:${plainPort}`];
  return {
    'node.id': id,
    'controller.quorum.voters': voters,
    listeners: [...forClients, `CONTROLLER://127.0.0.1:${controllerPort}`].join(','),
    'advertised.listeners': forClients.join(','),
    'listener.security.protocol.map': 'CLIENTS:SASL_SSL,PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'listener.name.clients.ssl.keystore.type': 'PEM',
    'listener.name.clients.ssl.keystore.location': keyStore,
    'listener.name.clients.sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'listener.name.clients.scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'default.replication.factor': BROKERS,
    'offsets.topic.replication.factor': BROKERS,
    // A leader that is gone is replaced within about two seconds.
    'controller.quorum.election.timeout.ms': 500,
    'controller.quorum.fetch.timeout.ms': 1_000,
    'replica.lag.time.max.ms': 5_000,
  };
}
