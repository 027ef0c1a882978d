import { type JavaAvailability, javaAvailability, mavenLibraries } from '../maven-libraries.ts';

/** 54 MB, about 7 s. */
const libraries = {
  name: 'kafka',
  folder: 'lib-4.1.0',
  dependencies: [
    'org.apache.kafka:kafka_2.13:4.1.0',
    'org.apache.kafka:kafka-tools:4.1.0',
    'org.slf4j:slf4j-simple:1.7.36',
  ],
} as const;

export type KafkaAvailability = JavaAvailability;

/** Whether this machine can run a broker. */
export const kafkaAvailability = (): KafkaAvailability =>
  javaAvailability(libraries, 'to run a Kafka broker');

/** The folder with Kafka's jars. @throws Error when Maven cannot fetch them. */
export const kafkaLibraries = (): Promise<string> => mavenLibraries(libraries);
