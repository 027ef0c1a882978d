/**
 * What a migration may not do while processes of the release before run and send: hold a lock on a table of millions
 * of rows for as long as it takes to read or write them, or take away what those processes use.
 */
export interface Broken {
  readonly statement: string;
  readonly rule: string;
  /** What to do instead. */
  readonly mend: string;
}

/** A row for each reader, block, message or delivery. `test/upgrade/migration-rules.test.ts` compares with the schema. */
export const largeTables: ReadonlySet<string> = new Set([
  ...['accepted_endpoints', 'audit_log', 'block_counts', 'blocks', 'deliveries', 'failing_endpoints'],
  ...['forgotten_subscriptions', 'frozen_reaches', 'idempotency_keys', 'images', 'letters', 'outbox'],
  ...['reader_wishes', 'shards', 'subscription_activity', 'subscription_facets', 'subscription_tags'],
  ...['subscriptions', 'test_browsers', 'webhook_messages', 'welcomes'],
]);

interface Rule {
  readonly name: string;
  readonly mend: string;
  /** On every table, or on large ones alone. */
  readonly of: 'every' | 'large';
  readonly breaks: (action: string) => boolean;
}

const has =
  (pattern: RegExp, unless?: RegExp) =>
  (action: string): boolean =>
    pattern.test(action) && !unless?.test(action);

const alterRules: readonly Rule[] = [
  {
    name: 'SET NOT NULL reads the table',
    mend: 'ADD CONSTRAINT … CHECK (… IS NOT NULL) NOT VALID, and VALIDATE CONSTRAINT in the next migration',
    of: 'large',
    breaks: has(/\bSET NOT NULL\b/i),
  },
  {
    name: 'a default that is computed for each row rewrites the table',
    mend: 'add the column without it, SET DEFAULT, and let a loop of the engine fill old rows in batches',
    of: 'large',
    breaks: has(
      /\bADD COLUMN\b.*(\bDEFAULT\s+(?!now\(|current_)[\w.]*\w\(|\bGENERATED\b|\b(small|big)?serial\b)/is,
    ),
  },
  {
    name: 'a new type rewrites the table',
    mend: 'add a column of the new type, write both, and drop the old one in a later release',
    of: 'large',
    breaks: has(/\bALTER (COLUMN )?"?\w+"? (SET DATA )?TYPE\b/i),
  },
  {
    name: 'a constraint that is checked at once reads the table',
    mend: 'add it NOT VALID, and VALIDATE CONSTRAINT in the next migration',
    of: 'large',
    breaks: has(
      /\bADD (CONSTRAINT \w+ )?(CHECK|FOREIGN KEY)\b|\bADD COLUMN\b.*\b(CHECK|REFERENCES)\b/is,
      /\bNOT VALID\b/i,
    ),
  },
  {
    name: 'a unique constraint builds an index under a lock',
    mend: 'give the key a table of its own: an index cannot be built CONCURRENTLY in the transaction of migrations',
    of: 'large',
    breaks: has(
      /\bADD (CONSTRAINT \w+ )?(UNIQUE|PRIMARY KEY|EXCLUDE)\b|\bADD COLUMN\b.*\b(UNIQUE|PRIMARY KEY)\b/is,
      /\bUSING INDEX\b/i,
    ),
  },
  {
    name: 'the release before inserts without this column',
    mend: 'give it a DEFAULT',
    of: 'every',
    breaks: has(/\bADD COLUMN\b.*\bNOT NULL\b/is, /\bDEFAULT\b|\bGENERATED\b/i),
  },
  {
    name: 'the release before still reads it',
    mend: 'contract in a later release, and say in a comment "-- contracts: …" since which one nothing reads it',
    of: 'every',
    breaks: has(/\bDROP COLUMN\b|\bRENAME\b/i),
  },
];

/** @param sql the file of one migration. */
export function brokenRules(sql: string): Broken[] {
  const upward = sql.split(/^-- Down Migration/im)[0] ?? '';
  const contracts = /^\s*-- contracts: \S/im.test(upward);
  const statements = statementsOf(upward);
  const own = new Set(
    statements.map((text) => /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(text)?.[1]),
  );
  return statements.flatMap((statement) => {
    const broken = [
      ...ofAlter(statement, own),
      ...ofIndex(statement, own),
      ...ofRows(statement, own),
      ...ofDrop(statement),
    ];
    return broken
      .filter(({ mend }) => !(contracts && mend.startsWith('contract ')))
      .map((each) => ({ statement: statement.split('\n')[0] ?? '', ...each }));
  });
}

type Found = Omit<Broken, 'statement'>;
type Own = ReadonlySet<string | undefined>;

function ofAlter(statement: string, own: Own): Found[] {
  const [, table = '', actions = ''] =
    /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+)\s+(.*)$/is.exec(statement) ?? [];
  if (table === '' || own.has(table)) return [];
  return alterRules
    .filter(({ of }) => of === 'every' || largeTables.has(table))
    .filter(({ breaks }) => actionsOf(actions).some(breaks))
    .map(({ name, mend }) => ({ rule: name, mend }));
}

/** Cut at the commas that stand in no parentheses. */
function actionsOf(text: string): string[] {
  const actions = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += letter;
  }
  return actions;
}

function ofIndex(statement: string, own: Own): Found[] {
  const table = /^CREATE (?:UNIQUE )?INDEX\b.*?\bON (?:ONLY )?(\w+)/is.exec(statement)?.[1];
  if (table === undefined || own.has(table) || !largeTables.has(table)) return [];
  const mend =
    'give the question a table of its own, or let migrate.ts learn to build indexes CONCURRENTLY after its transaction';
  return [{ rule: 'an index holds up every write until it is built', mend }];
}

function ofRows(statement: string, own: Own): Found[] {
  const table =
    /^(?:WITH\b.*)?\b(?:UPDATE|DELETE FROM|LOCK TABLE|LOCK|CLUSTER|TRUNCATE)\s+(?:ONLY )?(\w+)/is.exec(
      statement,
    )?.[1];
  const isOther = /^(ALTER|CREATE|DO|COMMENT|DROP|INSERT)\b/i.test(statement);
  if (isOther || table === undefined || own.has(table) || !largeTables.has(table)) return [];
  return [
    {
      rule: 'rows of a large table stay locked until all migrations are done',
      mend: 'let a loop of the engine go over them in batches',
    },
  ];
}

function ofDrop(statement: string): Found[] {
  if (!/^DROP TABLE\b/i.test(statement)) return [];
  const mend =
    'contract in a later release, and say in a comment "-- contracts: …" since which one nothing reads it';
  return [{ rule: 'the release before still reads it', mend }];
}

/** Bodies of functions may hold semicolons. */
function statementsOf(sql: string): string[] {
  const bodies: string[] = [];
  return sql
    .replaceAll(/(\$\w*\$).*?\1/gs, (body) => `$body${bodies.push(body)}$`)
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
