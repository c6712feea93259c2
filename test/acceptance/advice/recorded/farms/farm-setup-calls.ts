import { DAY, iso } from '../../../../time.ts';
import { EQUIPMENT } from './farm-file.ts';
import type { FarmPlace } from './farm-places.ts';
import { type ParcelPlan, SOILS } from './parcel-plan.ts';
import type { Probe } from './probe-kinds.ts';
import type { Random } from './random.ts';
import { reference, soilProbes, type WriteCall } from './write-calls.ts';

export function settingsCalls(now: number, probes: readonly Probe[], random: Random): WriteCall[] {
  const versionAt = (probe: Probe, daysAgo: number): WriteCall => ({
    tool: 'set_probe_settings',
    args: {
      module: reference(probe),
      effectiveFrom: iso(now - daysAgo * DAY),
      rootDepthCm: random.wholeBetween(20, 90),
      ...(random.happens(0.4)
        ? {
            depthWeights: probe.depths.map(
              (depth) => `${depth}: ${random.wholeBetween(1, 8) / 10}`,
            ),
          }
        : {}),
      ...(random.happens(0.5) ? { allowedDepletion: random.wholeBetween(3, 6) / 10 } : {}),
      ...(random.happens(0.4) ? { refillPercent: random.wholeBetween(60, 100) } : {}),
      ...(random.happens(0.4) ? { efficiencyPercent: random.pick([60, 75, 90]) } : {}),
      ...(random.happens(0.2) ? { leachingPercent: random.wholeBetween(5, 20) } : {}),
      ...(random.happens(0.3) ? { hoursPerDay: random.pick([1.5, 4, 8]) } : {}),
    },
  });
  return soilProbes(probes)
    .filter(() => random.happens(0.6))
    .flatMap((probe) => {
      const versions = [versionAt(probe, random.wholeBetween(60, 200))];
      if (random.happens(0.6)) versions.push(versionAt(probe, random.wholeBetween(10, 40)));
      return versions;
    });
}

export function equipmentCalls(
  now: number,
  parcels: readonly ParcelPlan[],
  probes: readonly Probe[],
  random: Random,
): WriteCall[] {
  const calls: WriteCall[] = [];
  for (const { name } of parcels)
    if (random.happens(0.5)) {
      const effectiveFrom = iso(now - random.wholeBetween(10, 45) * DAY);
      calls.push({
        tool: 'set_parcel_installation',
        args: { parcel: name, ...random.pick(EQUIPMENT), effectiveFrom },
      });
    }
  for (const probe of soilProbes(probes))
    if (random.happens(0.4)) {
      const module = reference(probe);
      for (const daysAgo of [random.wholeBetween(40, 90), random.wholeBetween(9, 30)])
        calls.push({
          tool: 'set_module_installation',
          args: { module, ...random.pick(EQUIPMENT), effectiveFrom: iso(now - daysAgo * DAY) },
        });
      if (random.happens(0.4)) calls.push({ tool: 'undo', args: {} });
      if (random.happens(0.3))
        calls.push({
          tool: 'set_module_placement',
          args: { module, emitterDistanceCm: random.wholeBetween(0, 40) },
        });
    }
  return calls;
}

export function scheduleCalls(
  { zone }: FarmPlace,
  at: number,
  parcels: readonly ParcelPlan[],
  probes: readonly Probe[],
  random: Random,
): WriteCall[] {
  // A schedule may not be in UTC.
  const timezone = zone === 'UTC' ? 'Africa/Lagos' : zone;
  const targets = [
    ...parcels.map(({ name }) => ({ parcel: name })),
    ...soilProbes(probes).map((probe) => ({ module: reference(probe) })),
  ];
  return random
    .shuffled(targets)
    .slice(0, random.pick([0, 0, 1, 2]))
    .map((target) => ({
      tool: 'create_schedule',
      args: {
        ...target,
        timezone,
        startsOn: iso(at + DAY).slice(0, 10),
        startTimes: random.happens(0.3) ? ['00:30', '21:00'] : [random.pick(['05:45', '20:00'])],
        ...(random.happens(0.5)
          ? { freq: 'daily', intervalDays: random.wholeBetween(1, 3) }
          : { freq: 'weekly', weekdays: [1, 3, 6] }),
        ...(random.happens(0.7)
          ? { inputMode: 'duration', durationMin: random.wholeBetween(20, 150) }
          : { inputMode: 'depth_mm', inputDepthMm: random.wholeBetween(3, 15) }),
        confirmationPolicy: random.pick(['auto', 'auto', 'manual']),
      },
    }));
}

export const soilCalls = (parcels: readonly ParcelPlan[], random: Random): WriteCall[] =>
  parcels
    .filter(() => random.happens(0.25))
    .map(({ name }) => ({
      tool: 'set_soil_profile',
      args: {
        parcel: name,
        layers: [{ soilHorizonId: random.pick(SOILS).usdaClass, depthTopCm: 0, depthBottomCm: 25 }],
      },
    }));
