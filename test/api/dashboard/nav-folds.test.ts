// tier: unit
import { describe, expect, it } from 'vitest';
import { type Foldable, foldedAt } from '../../../api/dashboard/web/frame/nav-folds.ts';

const ROW_PX = 32;
const NAME_PX = 36;
const AROUND_PX = 76;

/** Everything that an owner of the installation sees. */
const owner = { send: 6, readers: 3, results: 3, 'set-up': 5, organization: 8 };

const groupsOf = (rows: Record<string, number>, current: string): Foldable[] =>
  Object.entries(rows).map(([key, count]) => ({ key, rows: count, current: key === current }));

const heightOf = (groups: readonly Foldable[], folded: ReadonlySet<string>): number =>
  groups.reduce((sum, { key, rows }) => sum + NAME_PX + (folded.has(key) ? 0 : rows * ROW_PX), AROUND_PX);

describe('the sidebar', () => {
  it.each(Object.keys(owner))('fits whole into 900 pixels for an owner on a page of %s', (current) => {
    const groups = groupsOf(owner, current);
    const folded = foldedAt(900, groups);
    expect(folded.has(current)).toBe(false);
    expect(heightOf(groups, folded)).toBeLessThanOrEqual(900);
  });

  it('folds nothing where all fit, and no more than it has to', () => {
    const groups = groupsOf(owner, 'send');
    expect([...foldedAt(1_080, groups)]).toEqual([]);
    expect([...foldedAt(900, groups)]).toEqual(['organization']);
    expect([...foldedAt(300, groups)]).toEqual(['organization', 'set-up', 'results', 'readers']);
    expect([...foldedAt(900, groupsOf({ send: 6, readers: 3, organization: 3 }, 'send'))]).toEqual([]);
  });
});
