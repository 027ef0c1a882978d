/** A pattern that the check names, and why it costs no more than its text all the same. */
export interface Proven {
  readonly file: string;
  /** A part of it as it is written. */
  readonly part: string;
  readonly why: string;
}

const separated =
  'The inner repetition has no separator among its characters, so a text splits in one way alone.';
const operators = 'It reads a setting of the operator, once, at the start.';
const ours = 'It reads texts of this repository, when the dashboard is built.';
const headlines =
  'It reads 512 characters at most (`find-signs.ts`), and each repeated part ends with a space: no two ways to split them.';
const publishers = 'The publisher’s own setting, in their own page; Safari has no lookbehind before 16.4.';

/** Few, and none that could be written otherwise. */
export const proven: readonly Proven[] = [
  { file: 'api/sdk/browser/page.ts', part: String.raw`\/+$`, why: publishers },
  { file: 'api/dashboard/build.ts', part: 'node_modules/clsx/', why: ours },
  { file: 'api/dashboard/build.ts', part: 'query-core/', why: ours },
  { file: 'api/shared/revenue/site.ts', part: String.raw`([a-z0-9-]+\.)+`, why: separated },
  { file: 'api/account/log-in/provider/schema.ts', part: '([.][A-Za-z0-9]', why: separated },
  { file: 'engine/contract/time-zone.ts', part: String.raw`(\/[A-Za-z0-9_+-]+)*`, why: separated },
  {
    file: 'reporting/ingest/grain.ts',
    part: 'text',
    why: 'The three patterns above it: anchored at the start, and what is repeated is followed by none of its kind.',
  },
  { file: 'engine/contract/settings/kafka-settings.ts', part: '[A-Za-z0-9*_-]+', why: separated },
  { file: 'engine/contract/settings/kafka-settings.ts', part: '(-[a-z]+)+', why: separated },
  { file: 'engine/contract/settings/shared-settings.ts', part: 'https?://', why: operators },
  { file: 'engine/contract/settings/pem.ts', part: 'BEGIN', why: operators },
  {
    file: 'engine/adapters/clickhouse/cluster.ts',
    part: 'MergeTree',
    why: 'It reads the migrations of this repository.',
  },
  {
    file: 'api/client/pages/read-head.ts',
    part: '</$',
    why: 'The name of an element and nothing else: a literal text.',
  },
  {
    file: 'api/cli/report-token/scope.ts',
    part: '{1,253}',
    why: 'Checks 253 characters, in a command of the operator.',
  },
  {
    file: 'api/auth/password-hash.ts',
    part: 'argon2id',
    why: 'Reads hashes of our own; every repetition has a most, and a sign between it and the next.',
  },
  {
    file: 'engine/notification/texts.ts',
    part: 'text|address',
    why: 'Digits between two copies of 24 random signs that no text holds.',
  },
  {
    file: 'engine/kit/http/not-found.ts',
    part: 'patternOf(url)',
    why: 'Not a pattern yet: the next one is what it makes.',
  },
  {
    file: 'engine/kit/http/not-found.ts',
    part: 'escaped',
    why: 'Runs of signs that are not a slash, with a slash between any two; the address is bounded before.',
  },
  { file: 'engine/notification/warnings/signs/de.ts', part: '(?:', why: headlines },
  { file: 'engine/notification/warnings/signs/en.ts', part: '(?:', why: headlines },
  { file: 'engine/notification/warnings/signs/es.ts', part: '(?:', why: headlines },
  { file: 'engine/notification/warnings/signs/fr.ts', part: '(?:', why: headlines },
  { file: 'engine/notification/warnings/signs/find-signs.ts', part: '(?:', why: headlines },
];
