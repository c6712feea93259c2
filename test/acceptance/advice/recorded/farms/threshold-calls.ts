import { DAY, iso } from '../../../../time.ts';
import type { ParcelPlan } from './parcel-plan.ts';
import type { Probe } from './probe-kinds.ts';
import type { Random } from './random.ts';
import { reference, soilProbes, type WriteCall } from './write-calls.ts';

export function lineCalls(
  now: number,
  parcels: readonly ParcelPlan[],
  probes: readonly Probe[],
  random: Random,
): WriteCall[] {
  const lineAt = (probe: Probe, value: number, fill: string, more: object = {}): WriteCall => ({
    tool: 'create_annotation',
    args: {
      module: reference(probe),
      type: 'h-line',
      value: Math.round(value * 10) / 10,
      at: iso(now - random.wholeBetween(1, 90) * DAY),
      style: { fill },
      ...more,
    },
  });
  return probes.flatMap((probe): WriteCall[] => {
    const { soil } = parcels[probe.parcel]!;
    if (probe.category === 'WEATHER_STATION' || probe.kind === 'uncommissioned') return [];
    if (probe.category === 'TENSIOMETER')
      return random.happens(0.7)
        ? [
            lineAt(probe, random.between(8, 15), 'wet', { chartType: 'tensio' }),
            lineAt(probe, random.between(30, 60), 'dry', { chartType: 'tensio' }),
          ]
        : [];

    const calls: WriteCall[] = [];
    if (random.happens(0.5)) {
      calls.push(lineAt(probe, soil.fieldCapacity + random.between(-3, 3), 'threshold1'));
      if (random.happens(0.3))
        calls.push({
          tool: 'update_annotation',
          args: { value: soil.fieldCapacity - 1 },
          idOfLast: 'annotationId',
        });
    }
    if (random.happens(0.4)) {
      calls.push(lineAt(probe, soil.wiltingPoint + random.between(-2, 2), 'threshold2'));
      if (random.happens(0.25)) calls.push({ tool: 'undo', args: {} });
    }
    return calls;
  });
}

export const alertCalls = (
  parcels: readonly ParcelPlan[],
  probes: readonly Probe[],
  random: Random,
): WriteCall[] =>
  soilProbes(probes)
    .filter(({ kind }) => kind === 'silent' || random.happens(0.4))
    .map((probe) => {
      const { wiltingPoint, fieldCapacity } = parcels[probe.parcel]!.soil;
      const threshold = Math.round(10 * random.between(wiltingPoint, fieldCapacity)) / 10;
      return {
        tool: 'create_alert',
        args: { module: reference(probe), threshold, hysteresis: random.wholeBetween(1, 4) },
      };
    });
