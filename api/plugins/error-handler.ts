import { createErrorHandler } from '../../engine/adapters/http/errors.ts';
import { isDatabaseAway } from '../../engine/adapters/postgres/database-away.ts';
import { AnalyticsAway } from '../client/analytics/port.ts';

export const handleError = createErrorHandler({
  isAway: (error) => isDatabaseAway(error) || error instanceof AnalyticsAway,
});
