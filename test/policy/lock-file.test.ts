import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>;
};

describe('the lock file', () => {
  it('holds the packages of every platform, so that a fresh clone installs on each', () => {
    const optional = Object.values(packages).flatMap((each) => Object.keys(each.optionalDependencies ?? {}));
    expect(optional.length).toBeGreaterThan(20);
    for (const name of optional) expect(packages[`node_modules/${name}`]?.version, name).toMatch(/^\d+\./);
  });

  it('names no address of a registry', () => {
    for (const [name, { resolved }] of Object.entries(packages)) expect(resolved, name).toBeUndefined();
  });

  it('holds the hash of every package, also of those for other platforms', () => {
    const unhashed = Object.entries(packages).filter(([name, { integrity }]) => name !== '' && integrity === undefined);
    expect(unhashed.map(([name]) => name)).toEqual([]);
  });
});
