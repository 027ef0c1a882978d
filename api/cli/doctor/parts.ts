import type { ClickHouseState } from '../../../engine/adapters/clickhouse/schema-state.ts';
import type { Environment } from '../../../engine/contract/settings/settings.ts';
import type { WireFacts } from './report-wire.ts';

/** What the roles own, given by the composition root. */
export interface DoctorParts {
  /** Each throws SettingsError where settings of its role are wrong. */
  readonly roles: Readonly<Record<'api' | 'engine' | 'reporting', (environment: Environment) => unknown>>;
  readonly readFacts: (environment: Environment) => DoctorFacts;
  readonly tryEncryption: (environment: Environment) => Promise<{
    readonly name: string;
    readonly warning: string | null;
    /** How this machine could be faster; null: it could not. */
    readonly advice: string | null;
  }>;
  /** The ClickHouse of the `broadside up` that runs on this folder; null: none runs. */
  readonly reachStatistics: (folder: string) => Promise<ClickHouseState | null>;
  /** Variables that look like a misspelt setting, a line each. */
  readonly misspelt: (environment: Environment) => Promise<readonly string[]>;
}

/** Settings of the roles that the checks need; the defaults where they are wrong. */
export interface DoctorFacts extends WireFacts {
  readonly internalHost: string;
  readonly internalPort: number;
  readonly pushServiceCaFile: string | null;
  readonly jobsFolder: string | null;
  readonly databaseReadUrls: readonly string[];
  readonly publicBaseUrl: string | null;
}
