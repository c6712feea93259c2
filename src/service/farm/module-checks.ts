import { distanceM, isNoPosition, type SentPosition } from '../../domain/company/geometry.ts';
import { measureOf } from '../../domain/moisture/measurement.ts';
import { exact } from '../../domain/text/figures.ts';
import { argument, code } from '../../domain/text/program-names.ts';
import { commaSeparated, quotedName, say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FarmModule } from '../../schema/farm/farm-file.ts';
import { alertsAfter } from '../../store/alerts/alerts.ts';
import { sensorsOf } from '../../store/company/sensors.ts';
import type { FarmRow } from '../../store/farm/farm-rows.ts';
import { sensorReadingBounds } from '../../store/moisture/reading-lookup.ts';
import type { CompanyDb } from '../../store/tables.ts';

type ModuleRow = FarmRow<'modules'>;

const MAX_NAMED_ALERTS = 3;

/** Between soil and air the same readings would mean something else, and alerts would watch it. */
export async function assertCategoryIsFree(
  db: CompanyDb,
  existing: ModuleRow | undefined,
  category: FarmModule['category'],
): Promise<void> {
  const before = existing?.category ?? null;
  if (existing === undefined || before === null || category === undefined) return;
  if (isInSoil(category) === isInSoil(before) && category !== null) return;

  const alerts = await alertsAfter(
    db,
    { moduleId: existing.id, isActive: true },
    0,
    MAX_NAMED_ALERTS,
  );
  const thresholds = [...new Set(alerts.map(({ threshold }) => threshold))];
  const needs = [
    ...(await sensorsWithReadings(db, existing)),
    ...thresholds.map((threshold) => say`the alert below ${verbatim(threshold)} %`),
  ];
  if (needs.length === 0) return;

  throw invalidInputError(
    'invalid_body',
    say`${quotedName(existing.name ?? existing.uid)} stays a ${code(before)}, because of ${commaSeparated(needs)}.`,
    {
      hint: say`Leave ${argument('category')} out. A device of another kind is a module with a name of its own.`,
      field: 'category',
    },
  );
}

const isInSoil = (category: string | null): boolean =>
  measureOf('humidity', category) === 'humidity';

async function sensorsWithReadings(db: CompanyDb, module: ModuleRow): Promise<Text[]> {
  const sensors = (await sensorsOf(db, [module.id])).filter(({ type }) => type !== 'temperature');
  const ids = sensors.map(({ id }) => id);
  const bounds = await sensorReadingBounds(db, ids, { start: 0, end: 0 });
  const withReadings = new Set(
    bounds.filter(({ newest }) => newest !== null).map(({ sensorId }) => sensorId),
  );

  return sensors
    .filter(({ id }) => withReadings.has(id))
    .map(({ type, depth }) => {
      const measure = type === 'tensio' ? say`tension` : say`moisture`;
      return say`readings of ${measure}${depth === null ? null : say` at ${exact(depth, 'cm')}`}`;
    });
}

export function assertPosition(location: SentPosition | null | undefined): void {
  if (location == null || !isNoPosition(location)) return;
  throw invalidInputError(
    'invalid_body',
    say`Latitude 0 and longitude 0 are no position of a farm.`,
    {
      hint: say`Give where it stands, such as 43.61 and 3.87, or leave the position out.`,
      field: 'latitude',
    },
  );
}

/** Less is a position that somebody corrects: of a phone, it is off by some 10 m. */
const MIN_MOVE_M = 50;

/** True if it leaves its parcel, or stands farther away than positions are corrected. */
export function hasMoved(
  { parcel_id, lat, lon }: Pick<ModuleRow, 'parcel_id' | 'lat' | 'lon'>,
  entry: {
    readonly parcelId: number | null | undefined;
    readonly position: FarmModule['location'];
  },
): boolean {
  const leavesParcel =
    parcel_id !== null && entry.parcelId !== undefined && entry.parcelId !== parcel_id;
  if (leavesParcel || entry.position == null || lat === null || lon === null) return leavesParcel;
  return distanceM(entry.position, { lat, lon }) > MIN_MOVE_M;
}

const FAR_M = 1_000_000;

/** Latitude and longitude that were swapped, or lack a sign, are far from the rest of the farm. */
export function assertNearOthers(
  location: FarmModule['location'],
  others: readonly ModuleRow[],
): void {
  if (location == null) return;
  const distances = others.flatMap(({ lat, lon }) =>
    lat === null || lon === null ? [] : [distanceM(location, { lat, lon })],
  );
  const nearestM = Math.min(...distances);
  if (distances.length === 0 || nearestM <= FAR_M) return;

  throw invalidInputError(
    'invalid_body',
    say`Latitude ${location.lat}, longitude ${location.lon} is ${Math.round(nearestM / 1000)} km from the nearest other module of the farm.`,
    {
      hint: say`Ask whether latitude and longitude were swapped or lack a minus sign. A place that is as far away comes with a farm file.`,
      field: 'latitude',
    },
  );
}
