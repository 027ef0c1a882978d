export interface Locked {
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  /** What npm notes of a package that its authors gave up. */
  readonly deprecated?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}
export type Packages = Readonly<Record<string, Locked>>;

/** Whoever has them may use, change and pass on what they build with them. */
const permissive: ReadonlySet<string> = new Set([
  ...['MIT', 'MIT-0', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'ISC', 'CC0-1.0', 'Unlicense'],
  'BlueOak-1.0.0',
]);
/** Of tools alone, which are passed on to nobody. */
const ofTools: ReadonlySet<string> = new Set(['MPL-2.0', 'Python-2.0']);

export const isAllowed = (license: string, isTool: boolean): boolean =>
  license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((each) => permissive.has(each) || (isTool && ofTools.has(each)));

/** Lines about packages of a lock file whose licence is not allowed, or that have no hash. */
export function lockProblems(packages: Packages): string[] {
  return Object.entries(packages)
    .filter(([path, { link = false }]) => path !== '' && !link)
    .flatMap(([path, { license = 'none', dev = false, integrity }]) => [
      ...(isAllowed(license, dev) ? [] : [`${path}: ${license}`]),
      ...(integrity?.startsWith('sha512-') ? [] : [`${path}: no hash`]),
    ]);
}

export const deprecatedOf = (packages: Packages): string[] =>
  Object.entries(packages).flatMap(([path, { deprecated }]) =>
    deprecated === undefined ? [] : [`${path}: ${deprecated}`],
  );
