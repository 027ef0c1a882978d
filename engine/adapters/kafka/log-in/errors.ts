/** A log-in that will end the same until somebody changes something: `message` says what. */
export class LogInRefused extends Error {
  /** `kafkajs` asks: another try would end the same. */
  readonly retriable = false;
  constructor(line: string, cause?: unknown) {
    super(line, { cause });
    this.name = 'LogInRefused';
  }
}

/** One that may go better in a moment. */
export class LogInAway extends Error {
  readonly retriable = true;
  constructor(line: string, cause?: unknown) {
    super(line, { cause });
    this.name = 'LogInAway';
  }
}
