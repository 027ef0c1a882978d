import { isDatabaseAway } from '../../../engine/adapters/postgres/database-away.ts';
import { ReadEnded } from '../../../engine/adapters/postgres/limited-read.ts';
import { isLockConflict } from '../../../engine/adapters/postgres/lock-conflict.ts';
import { createErrorHandler } from '../../../engine/kit/http/errors.ts';
import { AnalyticsAway } from '../../ports/analytics.ts';
import { busyService, ReadRefused } from '../../reads/refused.ts';

export const handleError = createErrorHandler({
  refusalOf: (error) =>
    error instanceof ReadRefused ? error : error instanceof ReadEnded ? busyService(1) : null,
  isAway: (error) => isDatabaseAway(error) || isLockConflict(error) || error instanceof AnalyticsAway,
});
