import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { CopySql, Database } from '../../engine/adapters/postgres/database.ts';

/** A node of a plan as `EXPLAIN (ANALYZE, FORMAT JSON)` gives it; rows are those of one loop. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

export interface ReadPlan {
  readonly statement: string;
  readonly plan: PlanNode;
}

export interface PlanReader {
  readonly database: Pick<Database, 'query' | 'transaction' | 'copyTransaction'>;
  /** The plans of all statements since the last call, those within functions and triggers included. */
  take(): ReadPlan[];
  close(): Promise<void>;
}

const settings = [
  'session_preload_libraries=auto_explain',
  'auto_explain.log_min_duration=0',
  'auto_explain.log_nested_statements=on',
  'auto_explain.log_analyze=on',
  'auto_explain.log_timing=off',
  'auto_explain.log_format=json',
  'client_min_messages=log',
];

/**
 * A connection whose statements are explained as they run, by notices of auto_explain: what is read is the plan
 * that was used, of functions and triggers too.
 */
export async function createPlanReader(url: string): Promise<PlanReader> {
  const client = new pg.Client({
    connectionString: url,
    options: settings.map((each) => `-c ${each}`).join(' '),
  });
  const plans: ReadPlan[] = [];
  client.on('notice', ({ message }) => {
    const start = message?.indexOf('plan:\n') ?? -1;
    if (message === undefined || start < 0) return;
    const read = JSON.parse(message.slice(start + 'plan:\n'.length)) as {
      'Query Text': string;
      Plan: PlanNode;
    };
    plans.push({ statement: read['Query Text'], plan: read.Plan });
  });
  await client.connect();
  const query = async <Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> =>
    (await client.query(text, values as unknown[])).rows as Row[];
  const copyIn: CopySql['copyIn'] = (statement, chunks) =>
    pipeline(Readable.from(chunks), client.query(copyFrom(statement)));
  const transaction = async <Result>(work: (sql: CopySql) => Promise<Result>): Promise<Result> => {
    await client.query('BEGIN');
    const result = await work({ query, copyIn });
    await client.query('COMMIT');
    return result;
  };
  return {
    database: { query, transaction, copyTransaction: transaction },
    take: () => plans.splice(0),
    close: () => client.end(),
  };
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/**
 * The scans of subscriptions, and of the narrow tables beside them, that read more than a batch or whose index was
 * not asked for its whole key, and joins that compare all with all: a line each.
 */
export function walks({ statement, plan }: ReadPlan): string[] {
  return nodesOf(plan)
    .filter((node) => isJoinedRowByRow(node) || (isOfSubscriptions(node) && isWalk(node)))
    .map((node) => `${describe(node)} in ${statement.slice(0, 200)}`);
}

/** How many rows of a table the statements read, those that a filter removed included. */
export const rowsRead = (plans: readonly ReadPlan[], table: string): number =>
  plans
    .flatMap(({ plan }) => nodesOf(plan))
    .filter((node) => node['Relation Name'] === table)
    .reduce((sum, node) => sum + readBy(node), 0);

const readBy = ({
  'Actual Rows': rows = 0,
  'Rows Removed by Filter': removed = 0,
  'Actual Loops': loops = 0,
}: PlanNode): number => (rows + removed) * loops;

/** What an index must be asked for: with less, or out of the order of its columns, it is walked. */
const keysOfIndex: readonly (readonly [RegExp, RegExp])[] = [
  [/^subscriptions_\d\d_pkey$/, /\bseq\b/],
  [/^subscriptions_\d\d_decode/, /md5/],
  [/^subscriptions_\d\d_app_id_user_identity/, /\buser_identity\b/],
  [/^subscriptions_\d\d_secret_hash/, /\bsecret_hash\b/],
  [/^subscriptions_\d\d_id/, /\bid\b/],
  [/^subscriptions_\d\d_app_id_unsubscribed_at/, /\bunsubscribed_at >=/],
  [/^subscription_(facets|activity)_\d\d_pkey$/, /\bseq\b/],
  [/^subscription_tags_\d\d_pkey$/, /\bvalue\b/],
];
/** Beyond the largest batch of the tests. */
const MAX_TOUCHED = 5_000;

const isOfSubscriptions = (node: PlanNode): boolean =>
  /^subscription/.test(node['Relation Name'] ?? node['Index Name'] ?? '');

const isJoinedRowByRow = ({
  'Rows Removed by Join Filter': removed = 0,
  'Actual Loops': loops = 0,
}: PlanNode): boolean => removed * loops > MAX_JOINED;
/** 64 browsers with 64 others. */
const MAX_JOINED = 10_000;

function isWalk(node: PlanNode): boolean {
  if (readBy(node) > MAX_TOUCHED) return true;
  const index = node['Index Name'];
  if (index === undefined || node['Actual Loops'] === 0) return false;
  return !keysOfIndex.some(([name, keys]) => name.test(index) && keys.test(node['Index Cond'] ?? ''));
}

const describe = (node: PlanNode): string =>
  `${node['Node Type']} of ${node['Index Name'] ?? node['Relation Name']} for ${node['Index Cond']}: ` +
  `${node['Actual Rows']} rows, ${node['Rows Removed by Filter'] ?? 0} removed, ${node['Actual Loops']} times`;
