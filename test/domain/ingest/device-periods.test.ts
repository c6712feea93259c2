import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type DevicePeriod,
  periodChanges,
  startPeriod,
} from '../../../src/domain/ingest/device-periods.ts';

interface Write {
  readonly device: string | null;
  readonly at: number;
}

/** Writes batches of one reading each to one sensor, while assigned devices go on. */
function writtenBy(writes: readonly Write[]) {
  const periods = new Map<number, DevicePeriod>();
  const writers = new Map<number, Set<string | null>>();
  for (const { device, at } of writes) {
    const batch = { sensorId: 1, device, from: at, to: at };
    const { started, changed } = periodChanges(new Map([[1, [...periods.values()]]]), [batch]);
    for (const period of changed) periods.set(period.id, period);
    const newest = writers.size === 0 ? null : Math.max(...writers.keys());
    for (const start of started) {
      const id = periods.size + 1;
      periods.set(id, { ...startPeriod(start, newest), id, untilAt: null });
    }
    writers.set(at, (writers.get(at) ?? new Set()).add(device));
  }
  return { periods: [...periods.values()], writers };
}

const writes = fc.array(
  fc.record({
    device: fc.constantFrom('one', 'one', 'one', 'two', null),
    at: fc.integer({ min: 1, max: 30 }),
  }),
  { maxLength: 12 },
);

it('holds no reading of others unless it is shared, and bounds the readings of its device', () => {
  fc.assert(
    fc.property(writes, (written) => {
      const { periods, writers } = writtenBy(written);
      for (const { device, fromAt, firstAt, earlyAt, isShared } of periods)
        for (const [at, by] of writers) {
          if (!isShared && at >= fromAt) expect([...by]).toEqual([device]);
          if (!by.has(device)) continue;
          expect(at).toBeGreaterThanOrEqual(at >= fromAt ? firstAt : (earlyAt ?? fromAt));
        }
    }),
  );
});

it('changes nothing while a device goes on writing alone', () => {
  const period = startPeriod({ sensorId: 1, device: 'one', from: 10, to: 10, isShared: false }, 5);
  const stored = new Map([[1, [{ ...period, id: 1, untilAt: null }]]]);
  const batch = { sensorId: 1, device: 'one', from: 11, to: 12 };
  expect(periodChanges(stored, [batch])).toEqual({ started: [], changed: [] });
});
