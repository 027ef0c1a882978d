/** Where a figure begins to be a matter for somebody: alerts fire beyond it, and dashboards colour it. */
export const limits = {
  lateSeconds: { warning: 60, critical: 120 },
  sendingStillSeconds: { warning: 30, critical: 60 },
  outboxSeconds: { warning: 30, critical: 60 },
  /** Messages, for ten minutes: a healthy stage leaves a handful. */
  logLag: { warning: 100, critical: 10_000 },
  throttledShare: { warning: 0.1, critical: 0.5 },
  rejectedShare: { warning: 0.01, critical: 0.05 },
  unknownShare: { warning: 0.01, critical: 0.05 },
  /** What may fail in the long run, of the attempts that came to an end. */
  errorBudget: 0.01,
  diskFreeShare: { warning: 0.15, critical: 0.05 },
  certificateDays: { warning: 14, critical: 2 },
  apiFailedShare: { warning: 0.01, critical: 0.05 },
  reportsFailedShare: { warning: 0.05, critical: 0.25 },
} as const;
