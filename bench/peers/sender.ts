/** Something that sends one message to each subscription, as often as it is asked. */
export interface Sender {
  /** As `--json` names it. */
  readonly name: string;
  send(): Promise<Sent>;
  close(): Promise<void>;
}

export interface Sent {
  /** User and system time of the sender's process in this round, children included. */
  readonly cpuUs: number;
  readonly seconds: number;
  /** The same of its database; null: it has none, or the machine cannot report it. */
  readonly databaseUs: number | null;
  /** The sender's own error; null: none. */
  readonly problem: string | null;
}

/** A sender that this machine cannot run, and why in a line. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}
