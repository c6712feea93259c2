import { DAY, HOUR, iso } from '../../../../time.ts';
import { CROPS, type FarmPlace, NAMES } from './farm-places.ts';
import { type ParcelPlan, SOILS } from './parcel-plan.ts';
import type { Probe } from './probe-kinds.ts';
import type { Random } from './random.ts';

export const EQUIPMENT = [
  { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2, irrigatedAreaM2: 12_000 },
  { system: 'drip', emitterFlowLph: 2.3, emittersPerM2: 0.83 },
  { system: 'micro_sprinkler', flowMmPerH: 4.3, irrigatedAreaM2: 8_000 },
  { system: 'sprinkler', flowMmPerH: 6, irrigatedAreaM2: 30_000 },
  { system: 'pivot', flowMmPerH: 11.5 },
  { system: 'sprinkler', irrigatedAreaM2: 8_000 },
] as const;

export function farmFile(
  { zone, now, countryCode, lang, lat, lon }: FarmPlace,
  parcels: readonly ParcelPlan[],
  probes: readonly Probe[],
  random: Random,
): object {
  const at = Date.parse(now);
  const names = NAMES[lang];
  const imeis = ['356938035643801', '356938035643802'];
  const depth = random.wholeBetween(30, 60);
  return {
    company: { name: names.company, countryCode, currency: 'EUR', timezone: zone },
    users: [{ email: 'ana@example.org', name: 'Ana', role: 'OWNER' }],
    parcels: parcels.map(({ name, soil, hasSoil }) => ({
      name,
      type: random.pick(CROPS),
      areaM2: random.wholeBetween(5, 400) * 100,
      ...(hasSoil
        ? {
            soilProfile: random.happens(0.5)
              ? [{ usdaClass: soil.usdaClass, depthTopCm: 0, depthBottomCm: 90 }]
              : [
                  { usdaClass: soil.usdaClass, depthTopCm: 0, depthBottomCm: depth },
                  { usdaClass: random.pick(SOILS).usdaClass, depthTopCm: depth, depthBottomCm: 80 },
                ],
          }
        : {}),
      ...(random.happens(0.8) ? { installation: random.pick(EQUIPMENT) } : {}),
    })),
    gateways: imeis.map((imei, index) => ({
      imei,
      assignedAt: iso(at - 400 * DAY),
      status: { lastSeen: iso(at - (index === 0 ? HOUR : 3 * DAY)), batteryMv: 3_800 },
    })),
    modules: probes.map((probe) => ({
      uid: `P${probe.id}`,
      name: probe.isNamed
        ? `${names.probes[(probe.id - 1) % names.probes.length]} ${probe.id}`
        : null,
      number: probe.id,
      category: probe.category,
      parcel: parcels[probe.parcel]!.name,
      gateway: random.pick([...imeis, null]),
      commissionedAt: probe.kind === 'uncommissioned' ? null : iso(at - 380 * DAY),
      ...(random.happens(0.7) ? { location: { lat, lon, source: 'manual' } } : {}),
      sensors: probe.sensors,
      ...(random.happens(0.4) ? { settings: { rootDepthCm: random.wholeBetween(25, 80) } } : {}),
    })),
  };
}
