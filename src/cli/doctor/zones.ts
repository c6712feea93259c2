import { isUniversalZone, isZone, offsetMinutesAt } from '../../domain/zone.ts';
import { quoted } from '../../operation/names.ts';
import { sayOffset } from '../../operation/say-time.ts';
import { DEFAULT_ZONE } from '../../schema/place.ts';
import { zonesInUse } from '../../store/standing.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { type Finding, findingsOn } from './finding.ts';

/** Changes of clocks that are known: the first instant of the new offset, and the offsets before and from it, in minutes. Source: IANA tz database. */
const CHANGES = [
  ['Europe/Paris', '2026-03-29T01:00:00Z', 60, 120],
  ['America/New_York', '2026-11-01T06:00:00Z', -240, -300],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 660, 630],
] as const;

/** Whether the runtime's zone data are right, and know every zone that local times are read in. */
export async function checkZones(now: number, view: StoreView | null): Promise<Finding[]> {
  const used = view ? await view.read(zonesInUse) : [];
  const unknown = used.filter(({ zone }) => zone !== null && !isLocalZone(zone));
  return [checkData(), ...unknown.map(unknownZone), ...saysZones(used, now)];
}

function checkData(): Finding {
  const found = findingsOn('zone data');
  const { tz = 'of unknown age', icu = 'none' } = process.versions;
  const wrong = CHANGES.filter(
    ([zone, at, before, after]) =>
      !isZone(zone) ||
      offsetMinutesAt(Date.parse(at) - 1000, zone) !== before ||
      offsetMinutesAt(Date.parse(at), zone) !== after,
  );
  if (wrong.length === 0) return found.good(`tz ${tz} (ICU ${icu}) has the known changes of clocks right`);
  return found.bad(
    `tz ${tz} (ICU ${icu}) has the clocks of ${wrong.map(([zone]) => zone).join(', ')} wrong: local times would be off`,
    'Install a Node.js from nodejs.org, which brings complete zone data, and unset NODE_ICU_DATA.',
  );
}

const isLocalZone = (zone: string): boolean => isZone(zone) && !isUniversalZone(zone);

type ZoneInUse = Awaited<ReturnType<typeof zonesInUse>>[number];

function unknownZone({ owner, name, zone }: ZoneInUse): Finding {
  const whose = owner === 'company' ? `the company ${quoted(name)}` : `the schedule ${name}`;
  return findingsOn('zones').bad(
    `${whose} has the time zone ${quoted(zone ?? '')}, which gives no local time here`,
    owner === 'company'
      ? 'Put an IANA zone such as Europe/Paris into "timezone" of its farm file and import that again; if the zone is a new one, update Node.js.'
      : 'Give it an IANA zone such as Europe/Paris with update_schedule; if the zone is a new one, update Node.js.',
  );
}

/** The zones that hold, with their offset now. */
function saysZones(used: readonly ZoneInUse[], now: number): Finding[] {
  const zones = new Set(used.map(({ zone }) => zone ?? DEFAULT_ZONE).filter(isLocalZone));
  if (zones.size === 0) return [];
  const said = [...zones].map((zone) => `${zone} (now ${sayOffset(offsetMinutesAt(now, zone))})`);
  return [findingsOn('zones').good(said.join(', '))];
}
