/** A command's result, before it is known whether a terminal, a program or a browser reads it. */
export interface Report {
  /** The command as it is typed. */
  readonly title: string;
  /** One object a line of `--json`. */
  readonly lines: readonly object[];
  readonly tables: readonly Table[];
  /** Sentences under the tables. */
  readonly notes: readonly string[];
  /** Of the page only. */
  readonly charts: readonly Chart[];
}

/** Numbers are right-aligned, texts left-aligned, by the first row. */
export interface Table {
  readonly title?: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}
export type Cell = string | number | null;

export type Chart = BarChart | StackChart | FlameChart;

/** One bar a name; with `low` and `high` a whisker over it. */
export interface BarChart {
  readonly kind: 'bars';
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  /** Of the one that is looked for: drawn in the strong colour. */
  readonly own?: boolean;
}

/** Bars made of parts, which have the same colours in every bar. */
export interface StackChart {
  readonly kind: 'stacks';
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly {
    readonly name: string;
    readonly parts: readonly { readonly part: string; readonly value: number }[];
  }[];
}

/** The call stacks: a frame is as wide as the time spent in it and in its callees. */
export interface FlameChart {
  readonly kind: 'flame';
  readonly title: string;
  readonly root: Frame;
}
export interface Frame {
  readonly name: string;
  /** Samples' time here and below, in µs. */
  readonly total: number;
  readonly children: readonly Frame[];
}

export interface Output {
  readonly json: boolean;
  /** File of the page; null: none is written. */
  readonly out: string | null;
}
