/** Thrown where settings are wrong: a line each, for a person. */
export class SettingsError extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(`wrong settings:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'SettingsError';
    this.lines = lines;
  }
}
