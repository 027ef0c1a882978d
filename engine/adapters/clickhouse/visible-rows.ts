/** The rows of `ad_stats` that count: `readLedger` of adapters/postgres/ad-ledger.ts decides it, for one moment. */
export interface VisibleLoads {
  readonly maxLoad: number;
  readonly hidden: readonly number[];
  readonly superseded: readonly {
    readonly source: string;
    readonly firstDay: string;
    readonly lastDay: string;
    readonly below: number;
    /** Between which moments (seconds) hours are; null: those of the UTC days. */
    readonly hours?: readonly [from: number, until: number] | null;
  }[];
}

interface Condition {
  readonly text: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** As a condition on a row; usually of one comparison, for nothing is hidden or superseded. */
export function visibleRows({ maxLoad, hidden, superseded }: VisibleLoads): Condition {
  const runs = superseded.map(({ hours = null }, n) => {
    const onDays = `toDate(at) BETWEEN {from_${n}:Date} AND {to_${n}:Date}`;
    const dead =
      hours === null
        ? onDays
        : `if(grain = 'hour', at >= toDateTime({first_${n}:UInt32}, 'UTC') AND at < toDateTime({until_${n}:UInt32}, 'UTC'), ${onDays})`;
    return `NOT (source = {source_${n}:String} AND ${dead} AND load < {below_${n}:UInt64})`;
  });
  const params = superseded.flatMap(({ source, firstDay, lastDay, below, hours = null }, n) => [
    ...(hours === null
      ? []
      : [
          [`first_${n}`, hours[0]],
          [`until_${n}`, hours[1]],
        ]),
    [`source_${n}`, source],
    [`from_${n}`, firstDay],
    [`to_${n}`, lastDay],
    [`below_${n}`, below],
  ]);
  return {
    text: [
      'load <= {max_load:UInt64}',
      ...(hidden.length === 0 ? [] : ['load NOT IN {hidden_loads:Array(UInt64)}']),
      ...runs,
    ].join(' AND '),
    params: {
      max_load: maxLoad,
      ...(hidden.length === 0 ? {} : { hidden_loads: hidden }),
      ...Object.fromEntries(params),
    },
  };
}
