import { type Command, InvalidArgumentError, Option } from 'commander';
import { counted } from '../../../engine/contract/counted.ts';
import { type DayState, dayStates } from '../../../engine/contract/day-states.ts';
import { dayNumber, daysBetween, dayText, todayAhead } from '../../../engine/contract/days.ts';
import { withDatabase } from '../../../engine/kit/command-line/database.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { readDatabaseConfig } from '../../../engine/kit/command-line/settings.ts';
import { printNote, say } from '../../../engine/kit/command-line/terminal.ts';
import { daysWithRows } from '../../ingest/ad-loads.ts';
import { DaysNotOver, sayDays } from '../../ingest/days/ad-days.ts';
import { listDays } from '../../ingest/days/list-days.ts';
import { databaseOption, sourceOf } from './options.ts';
import { ownAccount } from './own-account.ts';

interface Given {
  readonly source: string;
  readonly database?: string;
  readonly json?: boolean;
}

const MAX_DAYS = 1_100;

const setHelp = `
A day is on the calendar of its source. open: more may come; complete: all of it is there, and may be corrected; final: it
does not change. A day that becomes final starts schedules and webhooks that wait for it. An import says the same with
--complete and --final, and "ad-stats source set NAME --final-after 3" makes days final three days after their end.

Examples:
  broadside ad-stats set-days final --source gam 2026-03-14
  broadside ad-stats set-days open --source gam 2026-03-01..2026-03-07`;

const listHelp = `
Examples:
  broadside ad-stats days
  broadside ad-stats days --source gam --json 2026-03-01..2026-03-31`;

export function addDayCommands(adStats: Command): void {
  adStats
    .command('set-days')
    .description('Says that days of a source are open, complete or final.')
    .argument('<state>', dayStates.join(', '), stateOf)
    .argument('<days>', 'a day, or the first and the last one: 2026-03-01..2026-03-07', daysOf)
    .addOption(new Option('--source <name>', 'the ad server').makeOptionMandatory().argParser(sourceOf))
    .option(...databaseOption)
    .option('--json', 'print JSON')
    .addHelpText('after', setHelp)
    .action(setDays);
  adStats
    .command('days')
    .description('Lists how certain the days of sources are, and who said so.')
    .argument('[days]', 'a day, or the first and the last one (default: the last 35)', daysOf)
    .addOption(new Option('--source <name>', 'of this ad server alone').argParser(sourceOf))
    .option(...databaseOption)
    .option('--json', 'print JSON')
    .addHelpText('after', listHelp)
    .action(showDays);
}

async function setDays(state: DayState, days: readonly string[], given: Given): Promise<void> {
  const { source } = given;
  const { changed, withRows } = await withDatabase(readDatabaseConfig(given.database), async (database) => ({
    changed: await sayDays(database, { source, days, state, by: 'person', as: ownAccount() }),
    withRows: await daysWithRows(database, source, days),
  })).catch((error: unknown) => {
    throw error instanceof DaysNotOver ? new CliError(error.message) : error;
  });
  say(given.json, { source, state, changed }, [
    changed.length === 0
      ? `Nothing changed: ${counted(days.length, 'day')} of ${source} had this state.`
      : `${counted(changed.length, 'day')} of ${source} ${changed.length === 1 ? 'is' : 'are'} ${state} now.`,
  ]);
  if (withRows.length === 0)
    printNote(`${source} has no rows there: "broadside ad-stats days" lists the sources that have some.`);
}

const SHOWN_DAYS = 35;

async function showDays(days: readonly string[] | undefined, given: Partial<Given>): Promise<void> {
  // A source in Auckland has rows of a day that begins in UTC only at noon.
  const today = todayAhead(Date.now());
  const from = days?.[0] ?? dayText(today - SHOWN_DAYS);
  const until = days?.at(-1) ?? dayText(today);
  const runs = await withDatabase(readDatabaseConfig(given.database), (sql) =>
    listDays(sql, { from, until, source: given.source ?? null }),
  );
  const lines = runs.map(({ source, first_day: first, last_day: last, state, said_by: by, said_as: as }) => {
    const range = first === last ? first : `${first} to ${last}`;
    return `${source}  ${range}  ${state}${by === null ? '' : `  (${[by, as].filter((part) => part !== null).join(', ')})`}`;
  });
  say(given.json, runs, lines.length === 0 ? [`No source has rows from ${from} to ${until}.`] : lines);
}

function stateOf(text: string): DayState {
  const state = dayStates.find((each) => each === text);
  if (state !== undefined) return state;
  throw new InvalidArgumentError(`One of ${dayStates.join(', ')}.`);
}

function daysOf(text: string): readonly string[] {
  const [first = '', last = first, more] = text.split('..');
  const [from, until] = [dayNumber(first), dayNumber(last)];
  const isRange = more === undefined && from !== null && until !== null && from <= until;
  if (isRange && until - from < MAX_DAYS) return daysBetween(from, until).map(dayText);
  throw new InvalidArgumentError(
    `A day such as 2026-03-14, or two: 2026-03-01..2026-03-07, at most ${MAX_DAYS} days.`,
  );
}
