import { dimensionKeys, metricKeys } from './keys.ts';

/** Bounds of a request. The cost of an answer is bounded where it runs. */
export const MAX_DIMENSIONS = dimensionKeys.length;
export const MAX_METRICS = metricKeys.length;
export const MAX_SORT = MAX_DIMENSIONS + MAX_METRICS;
/** A bit each in the mask of a base row. */
export const MAX_FILTER_GROUPS = 16;
export const MAX_FILTERS = 20;
export const MAX_SELECTED_VALUES = 1_000;
/** For parts of texts: each one is looked for in each text. */
export const MAX_TEXT_PARTS = 100;
/** Of selected values, those that an answer says how it read. */
export const MAX_VALUES_EXPLAINED = 100;
export const MAX_VALUE_CHARACTERS = 255;
/** Of all selected values together: they travel to ClickHouse in the address of the request, of 1 MiB at most. */
export const MAX_ALL_CHARACTERS = 100_000;
/** Of numbers that metrics are compared with: more than any metric has. */
export const MAX_METRIC_VALUE = 1_000_000_000_000_000;
export const METRIC_VALUE_PLACES = 10;
