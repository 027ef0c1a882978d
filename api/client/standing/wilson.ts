/** The 97.5 % quantile of the normal distribution: 95 % lie between it and its negative. */
const Z = 1.959964;

/**
 * Wilson's score interval of a share, at 95 %. Unlike the plain one it never leaves 0 to 1, and says something of a
 * share of none. (E. B. Wilson, 1927.)
 */
export function wilson(hits: number, of: number): { readonly low: number; readonly high: number } {
  if (of === 0) return { low: 0, high: 1 };
  const share = hits / of;
  const squared = Z ** 2 / of;
  const middle = share + squared / 2;
  const half = Z * Math.sqrt((share * (1 - share)) / of + squared / (4 * of));
  const bound = (value: number): number => Math.min(1, Math.max(0, value / (1 + squared)));
  return { low: hits === 0 ? 0 : bound(middle - half), high: hits === of ? 1 : bound(middle + half) };
}
