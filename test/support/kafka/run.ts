import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { startKafkaBroker } from '../kafka-broker.ts';
import { beginRun } from '../run/begin-run.ts';
import { kafkaAvailability } from './libraries.ts';

// Its data and its Java go, also where this process is killed.
beginRun(tmpdir());

/** `npm run kafka`: a broker for trying things by hand, until Ctrl-C. `--port 9092`, or KAFKA_PORT. */
const { values } = parseArgs({
  options: { port: { type: 'string', default: process.env.KAFKA_PORT ?? '9092' } },
});

const availability = kafkaAvailability();
if (!availability.available) {
  console.error(availability.reason);
  process.exitCode = 1;
} else {
  const broker = await startKafkaBroker({ port: Number(values.port) });
  console.log(`Kafka serves at ${broker.address}. Its data is gone when it stops: Ctrl-C.`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await broker.stop();
}
