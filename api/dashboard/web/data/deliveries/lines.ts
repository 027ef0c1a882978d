import type { ListedDelivery } from './resource.ts';

/** A row of a list of deliveries. */
export interface Line {
  readonly key: string;
  /** Of a test, its variants together. */
  readonly delivery: ListedDelivery;
  /** Below this row where it is unfolded; none of a row of its own. */
  readonly variants: readonly ListedDelivery[];
  /** What it is beside the rows around it. */
  readonly part: 'variant' | 'before' | 'after' | null;
}

/** What a line is made of: a list reads it whole. */
type Listed = readonly ListedDelivery[];

/**
 * A test is one row for all of its variants, and a correction stands above what it corrects. Of those on the page: what
 * belongs to one of them on another page stays there.
 * @param unfolded campaigns whose variants are shown, too.
 */
export function linesOf(listed: Listed, unfolded: ReadonlySet<number> = new Set()): readonly Line[] {
  const done = new Set<number>();
  return listed.flatMap((delivery) => {
    if (done.has(delivery.id)) return [];
    const together = togetherWith(delivery, listed);
    for (const { id } of together) done.add(id);
    if (together.length === 1) return [lineOf(delivery, null)];
    if (!isVariant(delivery)) return together.map((each) => lineOf(each, placeOf(each, together)));
    const first = testOf(together);
    const isOpen = unfolded.has(Number(delivery.campaign_id));
    return [first, ...(isOpen ? together.map((each) => lineOf(each, 'variant')) : [])];
  });
}

const isVariant = ({ campaign_id, campaign_role: role }: ListedDelivery): boolean =>
  campaign_id !== null && (role === 'winner' || (role?.startsWith('variant-') ?? false));

function togetherWith(delivery: ListedDelivery, listed: Listed): Listed {
  if (isVariant(delivery))
    return listed
      .filter((each) => isVariant(each) && each.campaign_id === delivery.campaign_id)
      .toSorted((a, b) => a.id - b.id);
  const correction = listed.find(({ corrects_delivery_id: of }) => of === delivery.id) ?? delivery;
  const wrong = listed.find(({ id }) => id === correction.corrects_delivery_id);
  return wrong === undefined || isVariant(wrong) || isVariant(correction) ? [delivery] : [correction, wrong];
}

const placeOf = ({ id }: ListedDelivery, [correction]: Listed): Line['part'] =>
  id === correction?.id ? 'after' : 'before';

const lineOf = (delivery: ListedDelivery, part: Line['part']): Line => ({
  ...{ key: String(delivery.id), delivery, part },
  variants: [],
});

const counts = [
  'total_subscribers',
  'success_count',
  'failed_count',
  'gone_count',
  'capped_subscribers',
  'click_count',
] as const;

function testOf(variants: Listed): Line {
  const [first] = variants;
  if (first === undefined) throw new Error('a test without variants is listed');
  const sums = Object.fromEntries(
    counts.map((name) => [name, variants.reduce((sum, each) => sum + each[name], 0)]),
  ) as Record<(typeof counts)[number], number>;
  const { success_count: accepted, click_count: clicks } = sums;
  const delivery = {
    ...first,
    ...sums,
    clicks_known: variants.every((each) => each.clicks_known),
    click_rate: accepted === 0 ? 0 : Math.round((clicks * 10_000) / accepted) / 100,
  };
  return { key: `test ${first.campaign_id}`, delivery, variants, part: null };
}
