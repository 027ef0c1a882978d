import type { Command } from 'commander';
import { kafkaOptions } from '../../engine/adapters/kafka/from-settings.ts';
import { createKafkaLog } from '../../engine/adapters/kafka/log.ts';
import { topics } from '../../engine/contract/topics.ts';
import { print, printJson } from '../../engine/kit/command-line/terminal.ts';
import { readKafkaConfig } from '../settings/config.ts';
import { refusalToStart } from './roles.ts';

const examples = `
It does what a role does at its start: it logs in, creates the topics that are missing, and asks for the state of
every topic and reader group. No message is written.

Examples:
  broadside kafka check
  broadside kafka check --json | jq .lag
  KAFKA_BROKERS=b1.example.com:9092 KAFKA_SECURITY_PROTOCOL=SSL broadside kafka check`;

const CLOSE_MS = 2_000;

interface CheckOptions {
  readonly json?: boolean;
}

export function addKafkaCommand(program: Command): void {
  program
    .command('kafka')
    .description('The Kafka cluster of the settings KAFKA_…: check.')
    .command('check')
    .description('Logs in as the roles do, and says in one line what is wrong.')
    .addHelpText('after', examples)
    .option('--json', 'print it as JSON, with the messages that wait on each topic')
    .action((options: CheckOptions) =>
      check(options).catch((error) => Promise.reject(refusalToStart(error))),
    );
}

async function check({ json }: CheckOptions): Promise<void> {
  const config = readKafkaConfig();
  const { kafkaBrokers, kafkaTopicPrefix } = config;
  const log = await createKafkaLog(kafkaOptions(config, () => undefined));
  const lag: Record<string, number> = {};
  try {
    for (const topic of topics) lag[topic] = await log.lag(topic);
  } finally {
    await log.close(CLOSE_MS);
  }
  if (json === true) return printJson({ brokers: kafkaBrokers, prefix: kafkaTopicPrefix, lag });
  print(
    `Kafka lets Broadside in at ${kafkaBrokers.join(', ')}: ${topics.length} topics behind ${kafkaTopicPrefix}`,
  );
}
