import { isPlaceZone, placesOfAbbreviation } from '../../domain/company/place-zones.ts';
import { quote } from '../../domain/strings.ts';
import { formatUtcOffset, isTimeZone, offsetMinutesAt } from '../../domain/time-zone.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { type ZoneInUse, zonesInUse } from '../../store/store-statistics.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

/**
 * Known transitions: the first instant of the new offset, and the offsets before and after it in
 * minutes. Source: IANA tz database.
 */
const KNOWN_CHANGES = [
  ['Europe/Paris', '2026-03-29T01:00:00Z', 60, 120],
  ['America/New_York', '2026-11-01T06:00:00Z', -240, -300],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 660, 630],
] as const;

export async function checkZones(now: number, view: StoreView | null): Promise<DoctorFinding[]> {
  const used = view ? await view.read(zonesInUse) : [];
  return [checkZoneData(), ...used.flatMap(wrongZoneFindings), ...localZoneFindings(used, now)];
}

function checkZoneData(): DoctorFinding {
  const newFinding = findingsAbout('zone data');
  const { tz = 'of unknown age', icu = 'none' } = process.versions;
  const wrong = KNOWN_CHANGES.filter(
    ([zone, at, before, after]) =>
      !isTimeZone(zone) ||
      offsetMinutesAt(Date.parse(at) - 1000, zone) !== before ||
      offsetMinutesAt(Date.parse(at), zone) !== after,
  );
  if (wrong.length === 0)
    return newFinding.good(`tz ${tz} (ICU ${icu}) has the known clock changes right`);

  return newFinding.bad(
    `tz ${tz} (ICU ${icu}) has wrong clock changes for ${wrong.map(([zone]) => zone).join(', ')}: local times would be off`,
    'Install a Node.js from nodejs.org, which brings complete zone data, and unset NODE_ICU_DATA.',
  );
}

/** UTC is wrong too: waterings are planned in local time. */
function wrongZoneFindings({ owner, zone }: ZoneInUse): DoctorFinding[] {
  if (zone === null || isPlaceZone(zone)) return [];

  const subject =
    owner.kind === 'company' ? `the company ${quote(owner.name)}` : `the schedule #${owner.id}`;
  const places = placesOfAbbreviation(zone).join(' or ') || 'an IANA zone such as Europe/Paris';
  const advice =
    owner.kind === 'company'
      ? `Give it ${places} with set_company, or as "timezone" of its farm file`
      : `Give it ${places} as timezone with update_schedule`;
  const newFinding = findingsAbout('zones');
  const text = `${subject} has the time zone ${quote(zone)}`;
  if (isTimeZone(zone))
    return [newFinding.bad(`${text}, which is not that of a place`, `${advice}.`)];

  return [
    newFinding.bad(
      `${text}, which this runtime does not know`,
      `${advice}; if the zone is a new one, update Node.js.`,
    ),
  ];
}

function localZoneFindings(used: readonly ZoneInUse[], now: number): DoctorFinding[] {
  const zones = new Set(used.map(({ zone }) => zone ?? DEFAULT_TIME_ZONE).filter(isPlaceZone));
  if (zones.size === 0) return [];
  const texts = [...zones].map(
    (zone) => `${zone} (now ${formatUtcOffset(offsetMinutesAt(now, zone))})`,
  );
  return [findingsAbout('zones').good(texts.join(', '))];
}
