interface Common {
  readonly name: string;
  /** The unit of one; for a histogram, the unit of its bounds. */
  readonly unit: string;
  readonly meaning: string;
  readonly labels: Readonly<Record<string, readonly string[]>>;
}

export type MetricEntry = Common &
  (
    | { readonly kind: 'counter' }
    | {
        readonly kind: 'gauge';
        /**
         * How the values of several processes become one: each is its own; they add up; or all tell of the same
         * thing, and the least or the most of them counts.
         */
        readonly across: 'each' | 'sum' | 'least' | 'most';
      }
    /** With the upper bounds of its buckets. */
    | { readonly kind: 'histogram'; readonly bounds: readonly number[] }
  );

export const none = {} as const;
