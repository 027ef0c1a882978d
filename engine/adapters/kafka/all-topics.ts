import { createRequire } from 'node:module';

interface TopicMetadata {
  readonly topicErrorCode: number;
}

interface Metadata {
  readonly topicMetadata: readonly TopicMetadata[];
}

interface Exchange {
  readonly response: { readonly parse: (data: Metadata) => Promise<Metadata> };
}

/** What kafkajs looks up for each version of the metadata request. */
interface MetadataRequests {
  protocol(version: { readonly version: number }): (args: { readonly topics: readonly string[] }) => Exchange;
}

const require = createRequire(import.meta.url);
let done = false;

/**
 * Where kafkajs 2.2.4 only needs the cluster's brokers, it asks for the metadata of all topics, and fails as long as
 * any partition of anybody's topic has no leader. One broker that is unavailable, with a topic of one copy on it, would then
 * keep every producer from connecting and every ping from its answer. Such an answer is taken as it is; where topics
 * were asked for by name, nothing changes.
 */
export function takeAllTopicsAsTheyAre(): void {
  if (done) return;
  done = true;
  const requests = require('kafkajs/src/protocol/requests/metadata') as MetadataRequests;
  const protocol = requests.protocol;
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
