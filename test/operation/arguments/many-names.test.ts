import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NameDirectory } from '../../../src/language/summary-context.ts';
import {
  findByWholeName,
  namesMeantBy,
  resolveEntryName,
  resolveModule,
  resolveParcel,
} from '../../../src/operation/arguments/name-resolution.ts';

const NAMES = 300;
/** Sixteen names between two looks at the clock, each with a crop. */
const MOST_READS_IN_A_TURN = 100;

let reads = 0;

/** Counts how often its name and crop are read. */
const counted = <T extends object>(entity: T): T =>
  new Proxy(entity, {
    get(target, key) {
      if (key === 'name' || key === 'type') reads++;
      return Reflect.get(target, key);
    },
  });

const numbers = Array.from({ length: NAMES }, (_, index) => index + 1);
const modules = numbers.map((id) =>
  counted({
    id,
    name: `Dovecote ${id} foxglove`,
    uid: `U${id}`,
    category: 'SOIL_PROBE',
    parcelId: id,
  }),
);
const parcels = numbers.map((id) => counted({ id, name: `Gully ${id}`, type: `vetch ${id}` }));
const directory: NameDirectory = { modules: async () => modules, parcels: async () => parcels };

let mostReadsInATurn = 0;
let isRunning = true;

async function countReadsByTurn(): Promise<void> {
  while (isRunning) {
    reads = 0;
    await nextTurn();
    mostReadsInATurn = Math.max(mostReadsInATurn, reads);
  }
}

beforeEach(() => {
  // Each look at the clock finds that the slice of time is over.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
  mostReadsInATurn = 0;
  isRunning = true;
  void countReadsByTurn();
});

afterEach(() => {
  isRunning = false;
  vi.restoreAllMocks();
});

const MODULE = { field: 'module', code: 'MODULE_NOT_OWNED' };
const PARCEL = { field: 'parcel', code: 'PARCEL_NOT_FOUND' };
const ENTRY = { kind: 'module', missingOfNew: () => null } as const;

it.each<[string, () => Promise<unknown>]>([
  ['an unknown probe', () => resolveModule('willow 7', directory, MODULE)],
  ['a misspelt probe', () => resolveModule('dovecot 7', directory, MODULE)],
  ['an ordinal', () => resolveModule('the third willow', directory, MODULE)],
  ['a number', () => resolveModule('7', directory, { ...MODULE, isWrite: true })],
  ['an unknown parcel', () => resolveParcel('willow', directory, PARCEL)],
  ['a new entry', () => resolveEntryName('willow', ENTRY, {}, directory)],
  ['a whole name', () => findByWholeName('willow', modules, 'module', directory)],
  ['a completion', () => namesMeantBy('willow', directory)],
])('the search for %s among hundreds of names lets other calls run', async (_, search) => {
  await search().catch(() => undefined);
  expect(mostReadsInATurn).toBeGreaterThan(0);
  expect(mostReadsInATurn).toBeLessThan(MOST_READS_IN_A_TURN);
});
