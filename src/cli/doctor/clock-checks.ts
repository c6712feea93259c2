import { MINUTE_MS } from '../../domain/periods.ts';
import { quote } from '../../domain/text.ts';
import { formatUtcOffset, isTimeZone, isUtcZone, offsetMinutesAt } from '../../domain/time-zone.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import { newestInstant, zonesInUse } from '../../store/statistics.ts';
import type { StoreView } from '../../store/store-interface.ts';
import {
  type DoctorFinding,
  findingsAbout,
  formatRoughDuration,
  formatUtcSecond,
} from './findings.ts';

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
  const unknown = used.filter(({ zone }) => zone !== null && !isLocalZone(zone));
  return [checkZoneData(), ...unknown.map(unknownZoneFinding), ...knownZoneFindings(used, now)];
}

function checkZoneData(): DoctorFinding {
  const finding = findingsAbout('zone data');
  const { tz = 'of unknown age', icu = 'none' } = process.versions;
  const wrong = KNOWN_CHANGES.filter(
    ([zone, at, before, after]) =>
      !isTimeZone(zone) ||
      offsetMinutesAt(Date.parse(at) - 1000, zone) !== before ||
      offsetMinutesAt(Date.parse(at), zone) !== after,
  );
  if (wrong.length === 0)
    return finding.good(`tz ${tz} (ICU ${icu}) has the known clock changes right`);

  return finding.bad(
    `tz ${tz} (ICU ${icu}) has wrong clock changes for ${wrong.map(([zone]) => zone).join(', ')}: local times would be off`,
    'Install a Node.js from nodejs.org, which brings complete zone data, and unset NODE_ICU_DATA.',
  );
}

const isLocalZone = (zone: string): boolean => isTimeZone(zone) && !isUtcZone(zone);

type ZoneInUse = Awaited<ReturnType<typeof zonesInUse>>[number];

function unknownZoneFinding({ owner, name, zone }: ZoneInUse): DoctorFinding {
  const whose = owner === 'company' ? `the company ${quote(name)}` : `the schedule ${name}`;
  return findingsAbout('zones').bad(
    `${whose} has the time zone ${quote(zone ?? '')}, which this runtime does not know`,
    owner === 'company'
      ? 'Put an IANA zone such as Europe/Paris into "timezone" of its farm file and import that again; if the zone is a new one, update Node.js.'
      : 'Give it an IANA zone such as Europe/Paris with update_schedule; if the zone is a new one, update Node.js.',
  );
}

function knownZoneFindings(used: readonly ZoneInUse[], now: number): DoctorFinding[] {
  const zones = new Set(used.map(({ zone }) => zone ?? DEFAULT_TIME_ZONE).filter(isLocalZone));
  if (zones.size === 0) return [];
  const texts = [...zones].map(
    (zone) => `${zone} (now ${formatUtcOffset(offsetMinutesAt(now, zone))})`,
  );
  return [findingsAbout('zones').good(texts.join(', '))];
}

const TOLERANCE_MS = 10 * MINUTE_MS;

export async function checkClock(
  now: number,
  source: 'cli' | 'env' | undefined,
  view: StoreView | null,
): Promise<DoctorFinding> {
  const finding = findingsAbout('clock');
  const newest = view ? await view.read(newestInstant) : null;
  const origin =
    source === undefined
      ? "the machine's"
      : `set by ${source === 'env' ? 'ACEQUIA_CLOCK' : '--clock'}`;
  const text = `${formatUtcSecond(now)}, ${origin}`;
  if (newest !== null && newest > now + TOLERANCE_MS)
    return finding.doubtful(
      `${text}; but the store has a record of ${formatUtcSecond(newest)}, ${formatRoughDuration(newest - now)} later`,
      source === undefined
        ? "Set the machine's clock. If it is right, the clock of a probe was ahead."
        : 'Use the machine’s clock, unless this is a replay or a test.',
    );

  if (source !== undefined)
    return finding.doubtful(text, 'Use the machine’s clock, unless this is a replay or a test.');

  return finding.good(newest === null ? text : `${text}; no record in the store is later`);
}
