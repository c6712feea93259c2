import type { Saying } from '../operation/call.ts';
import { parcelName } from '../operation/directory.ts';
import { type CompanyBody, DEFAULT_ZONE, type ModuleBody } from '../schema/place.ts';

interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

const KINDS: Record<string, readonly [one: string, several: string]> = {
  SOIL_PROBE: ['soil probe', 'soil probes'],
  TENSIOMETER: ['tensiometer', 'tensiometers'],
  WEATHER_STATION: ['weather station', 'weather stations'],
};

const kindOf = (module: { category: string | null }, count = 1): string =>
  (KINDS[module.category ?? ''] ?? ['module', 'modules'])[count === 1 ? 0 : 1]!;

const more = ({ next_cursor }: Page<unknown>): string[] =>
  next_cursor === null ? [] : ['More follow: pass next_cursor as cursor.'];

/** Names with ids, as a person would be asked to choose. */
const named = (rows: readonly { id: number; name: string | null }[]): string =>
  rows.map((row) => `${row.name ?? 'no name'} (#${row.id})`).join(', ');

export const sayModules = (page: Page<Pick<ModuleBody, 'id' | 'name'>>, call: Saying): string =>
  page.data.length === 0
    ? 'No module matches.'
    : [`Modules: ${named(page.data)}.`, ...call.remarks, ...more(page)].join(' ');

export const sayParcels = (page: Page<{ id: number; name: string }>, call: Saying): string =>
  page.data.length === 0
    ? 'There is no parcel.'
    : [`Parcels: ${named(page.data)}.`, ...call.remarks, ...more(page)].join(' ');

export async function sayModule(module: ModuleBody, call: Saying): Promise<string> {
  const where = module.parcelId === null ? 'in no parcel' : `in ${await parcelName(call.directory, module.parcelId)}`;
  const depths = [...new Set(module.sensors.flatMap(({ depth }) => (depth === null ? [] : [depth])))];
  const sensors =
    depths.length === 0
      ? `${module.sensors.length} sensor${module.sensors.length === 1 ? '' : 's'}`
      : `sensors at ${depths.join(', ')} cm`;
  const position = module.location?.stale ? ' Its position must be reconfirmed.' : '';
  return [
    `${module.name ?? `Module ${module.id}`} is a ${kindOf(module)} ${where}, ${sensors}.${position}`,
    ...call.remarks,
  ].join(' ');
}

export const sayCompany = (company: CompanyBody): string =>
  `${company.name}${company.city === null ? '' : `, ${company.city}`}; local time is ${company.timezone ?? `${DEFAULT_ZONE} (none declared)`}.`;
