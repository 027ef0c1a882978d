import { type JavaAvailability, javaAvailability, mavenLibraries } from '../maven-libraries.ts';

/** Postgres' driver for Java, which DBeaver, Metabase and many others speak through: 1.3 MB. */
const libraries = {
  name: 'jdbc',
  folder: 'lib-42.7.7',
  dependencies: ['org.postgresql:postgresql:42.7.7'],
} as const;

export const jdbcAvailability = (): JavaAvailability =>
  javaAvailability(libraries, 'to read reports through JDBC');

/** The folder with the driver's jar. @throws Error when Maven cannot fetch it. */
export const jdbcLibraries = (): Promise<string> => mavenLibraries(libraries);
