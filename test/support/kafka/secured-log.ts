import kafkajs from 'kafkajs';
import { kafkaOptions } from '../../../engine/adapters/kafka/from-settings.ts';
import { createKafkaLog } from '../../../engine/adapters/kafka/log.ts';
import type { KafkaLogOptions } from '../../../engine/adapters/kafka/options.ts';
import { readEngineConfig } from '../../../engine/config.ts';
import type { Log } from '../../../engine/contract/log.ts';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, Kafka, ResourcePatternTypes } = kafkajs;

/** Lines that a log said, newest last. */
export interface Said {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface OpenedLog {
  readonly log: Log;
  readonly said: readonly Said[];
}

/** A log as a role opens it: from the environment of a process, faster only in what it waits for. */
export async function openFromEnvironment(
  environment: Readonly<Record<string, string>>,
  faster: Partial<KafkaLogOptions> = {},
): Promise<OpenedLog> {
  const said: Said[] = [];
  const config = readEngineConfig({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    MASTER_KEY: Buffer.alloc(32).toString('base64'),
    LOG_BACKEND: 'kafka',
    KAFKA_PARTITIONS: '2',
    ...environment,
  });
  const options = kafkaOptions(config, (level, message, fields) => said.push({ level, message, fields }));
  const log = await createKafkaLog({
    ...options,
    sessionTimeoutMs: 3_000,
    revokeBudgetMs: 1_000,
    publishTimeoutMs: 5_000,
    fetchWaitMs: 100,
    ...faster,
  });
  return { log, said };
}

/** What OPERATIONS.md asks for: these rights and no others. @returns takes those to read and to write topics away. */
export async function grantPrefix(
  address: string,
  user: string,
  prefix: string,
): Promise<() => Promise<void>> {
  const admin = new Kafka({ brokers: [address] }).admin();
  await admin.connect();
  const { CREATE, DESCRIBE, READ, WRITE, DELETE } = AclOperationTypes;
  const rights = [
    ...[CREATE, DESCRIBE, READ, WRITE].map((operation) => ({
      resourceType: AclResourceTypes.TOPIC,
      operation,
    })),
    ...[READ, DELETE].map((operation) => ({ resourceType: AclResourceTypes.GROUP, operation })),
  ];
  const acl = rights.map((right) => ({
    ...right,
    resourceName: prefix,
    resourcePatternType: ResourcePatternTypes.PREFIXED,
    principal: `User:${user}`,
    host: '*',
    permissionType: AclPermissionTypes.ALLOW,
  }));
  await admin.createAcls({ acl });
  await admin.disconnect();
  return async () => {
    await admin.connect();
    await admin.deleteAcls({
      filters: acl.filter(
        ({ resourceType, operation }) =>
          resourceType === AclResourceTypes.TOPIC && (operation === READ || operation === WRITE),
      ),
    });
    await admin.disconnect();
  };
}
