// tier: system, clickhouse
import { openTestClickHouse } from '../../support/test-clickhouse.ts';
import { describeAdStats } from './ad-stats-conformance.ts';

describeAdStats('embedded', openTestClickHouse);
