export interface LockedPackage {
  readonly version?: string;
  readonly name?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Where npm finds a package that the one at `from` asks for: beside it, or in a folder above. Null: nowhere. */
function placeOf(lock: Lock, from: string, name: string): string | null {
  for (let above = from; ; above = above.slice(0, Math.max(0, above.lastIndexOf('node_modules/') - 1))) {
    const place = `${above === '' ? '' : `${above}/`}node_modules/${name}`;
    if (place in lock.packages) return place;
    if (above === '') return null;
  }
}

/**
 * The part of the checkout's lock that a package of these dependencies needs: what it was tested with. Stand-ins under
 * another name are left out: they fill places of packages that the registry of the checkout does not have.
 */
export function lockOf(lock: Lock, manifest: Manifest): Lock {
  const needed = new Map<string, boolean>();
  const follow = (from: string, names: Readonly<Record<string, string>> = {}, isOptional: boolean): void => {
    for (const name of Object.keys(names)) {
      const place = placeOf(lock, from, name);
      if (place === null || lock.packages[place]?.name !== undefined) continue;
      // What one needs and another may go without is needed.
      const known = needed.get(place);
      if (known === false || known === isOptional) continue;
      needed.set(place, isOptional);
      const { dependencies, optionalDependencies, peerDependencies } = lock.packages[place] ?? {};
      follow(place, dependencies, isOptional);
      follow(place, peerDependencies, isOptional);
      follow(place, optionalDependencies, true);
    }
  };
  follow('', manifest.dependencies, false);
  follow('', manifest.optionalDependencies, true);
  const packages = [...needed]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([place, isOptional]) => {
      const {
        dev: _dev,
        devOptional: _devOptional,
        optional: _optional,
        ...locked
      } = lock.packages[place] ?? {};
      return [place, isOptional ? { ...locked, optional: true } : locked] as const;
    });
  const { name, version } = manifest;
  return {
    ...{ name, version, lockfileVersion: lock.lockfileVersion, requires: true },
    packages: { '': manifest, ...Object.fromEntries(packages) },
  };
}
