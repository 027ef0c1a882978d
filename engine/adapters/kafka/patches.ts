import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import kafkajs from 'kafkajs';

/**
 * All that is changed inside kafkajs, for 2.2.4, its last version. Each patch says what it fixes; none changes what a
 * caller of kafkajs sees otherwise.
 *
 * The way out is another client behind the same port: it has to pass `test/conformance/log.ts`, on one broker and on
 * three, as this one does. Then this folder goes, patches included.
 */
export function patchKafkajs(): void {
  if (isPatched) return;
  isPatched = true;
  takeAllTopicsAsTheyAre();
  lookOnlyForWhatWaits();
  addZstd();
}

let isPatched = false;
const require = createRequire(import.meta.url);

interface Metadata {
  readonly topicMetadata: readonly { readonly topicErrorCode: number }[];
}

interface Exchange {
  readonly response: { readonly parse: (data: Metadata) => Promise<Metadata> };
}

/** What kafkajs looks up for each version of the metadata request. */
interface MetadataRequests {
  protocol(version: { readonly version: number }): (args: { readonly topics: readonly string[] }) => Exchange;
}

/**
 * Where kafkajs only needs the cluster's brokers, it asks for the metadata of all topics, and fails as long as any
 * partition of anybody's topic has no leader. One broker that does not answer, with a topic of one copy on it, would then keep
 * every producer from connecting and every ping from its answer. Such an answer is taken as it is; where topics were
 * asked for by name, nothing changes.
 */
function takeAllTopicsAsTheyAre(): void {
  const requests = require('kafkajs/src/protocol/requests/metadata') as MetadataRequests;
  const { protocol } = requests;
  requests.protocol = (version) => (args) => {
    const exchange = protocol(version)(args);
    if (args.topics.length > 0) return exchange;
    return { ...exchange, response: { ...exchange.response, parse: asItIs } };
  };
}

const asItIs = async (data: Metadata): Promise<Metadata> => ({
  ...data,
  topicMetadata: data.topicMetadata.filter(({ topicErrorCode }) => topicErrorCode === 0),
});

/** As much of kafkajs' queue of a connection's requests as is needed here. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  /** Milliseconds since 1970; a broker may ask a client to slow down. */
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
}

/** As kafkajs looks where requests wait. */
const CHECK_EVERY_MS = 10;

/**
 * Each connection looks every millisecond for requests that wait, from its first answer on: the time to its
 * next check is counted from a moment that is long past. With readers on six topics that were fourteen of these timers
 * at rest. Here it looks only while requests wait.
 */
function lookOnlyForWhatWaits(): void {
  const Queue = require('kafkajs/src/network/requestQueue') as { readonly prototype: object };
  Object.assign(Queue.prototype, {
    scheduleCheckPendingRequests(this: RequestQueue): void {
      if (this.pending.length === 0 || this.throttleCheckTimeoutId !== null) return;
      const waitMs = Math.max(this.throttledUntil - Date.now(), CHECK_EVERY_MS);
      this.throttleCheckTimeoutId = setTimeout(() => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      }, waitMs);
    },
  });
}

/** What a fetch holds is a few MB: more than this in one batch is not a message of ours or of an ad server. */
const MAX_BATCH_BYTES = 67_108_864;
/** Batches of events and outcomes become as small as at the library's own 3, in half the time. */
const LEVEL = 1;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** The client kafkajs has no zstd, and Node does, so every process reads it, whatever it is set to write. */
function addZstd(): void {
  const { CompressionCodecs, CompressionTypes } = kafkajs;
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: ({ buffer }: { readonly buffer: Buffer }) =>
      compress(buffer, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }),
    decompress: (buffer: Buffer) => decompress(buffer, { maxOutputLength: MAX_BATCH_BYTES }),
  });
}
