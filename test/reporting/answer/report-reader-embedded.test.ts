// tier: system, clickhouse
import { openTestClickHouse } from '../../support/test-clickhouse.ts';
import { describeReportReader } from './report-reader-conformance.ts';

describeReportReader('embedded', openTestClickHouse);
