import { shownLabel, shownName } from '../domain/labels.ts';
import { LANGS, type Lang } from '../domain/lang.ts';
import { distanceM } from '../domain/position.ts';
import type { Call } from '../operation/call.ts';
import { folded } from '../operation/names.ts';
import { notFound } from '../schema/error.ts';
import type { Category, MeasurementType, ModuleBody } from '../schema/place.ts';
import { type Module, modulesAfter, type Sensor, sensorsOf } from '../store/modules.ts';
import { ownModule, ownParcel } from './ownership.ts';
import { pageOf, placeOfCursor } from './pages.ts';
import { sayInAll } from './say-lists.ts';

/** The module as its endpoint shows it; a position is stale when the gateway is another than at declaration, or none. */
export function moduleBodyOf(module: Module, sensors: readonly Sensor[], lang: Lang): ModuleBody {
  return Object.assign(concise(module, lang), {
    sensors: sensors.map((sensor) => sensorBody(sensor, lang)),
    gateway: gatewayOf(module),
  });
}

const gatewayOf = ({ gateway }: Module): ModuleBody['gateway'] => gateway && { id: gateway.id, imei: gateway.imei };

const concise = (module: Module, lang: Lang): Omit<ModuleBody, 'sensors' | 'gateway'> => ({
  id: module.id,
  uid: module.uid,
  name: shownName(module, lang),
  serialHex: module.serialHex,
  category: module.category as Category | null,
  location: locationOf(module),
  parcelId: module.parcelId,
});

function locationOf({ position, gateway }: Module): ModuleBody['location'] {
  if (!position) return null;
  const { lat, lon, source, gatewayId } = position;
  const seen = gateway?.lat != null && gateway.lon != null ? { lat: gateway.lat, lon: gateway.lon } : null;
  return {
    lat,
    lon,
    source: source as 'manual' | 'seeded' | 'gateway',
    stale: gateway === null || gateway.id !== gatewayId,
    driftMeters: seen && Math.round(distanceM({ lat, lon }, seen)),
  };
}

const sensorBody = (sensor: Sensor, lang: Lang): ModuleBody['sensors'][number] => ({
  id: sensor.id,
  type: sensor.type as MeasurementType,
  depth: sensor.depth,
  label: shownLabel(sensor, lang),
});

/** The company's module, refused as not_found until it is commissioned. */
export async function commissionedModule(call: Call, id: number): Promise<Module> {
  const module = await ownModule(call, id);
  if (module.commissionedAt === null)
    throw notFound(`Module ${id} was never commissioned.`, 'Commission it in the field first; list_modules shows it.');
  return module;
}

export async function getModule(call: Call, id: number, lang: Lang): Promise<ModuleBody> {
  const module = await commissionedModule(call, id);
  return moduleBodyOf(module, await sensorsOf(call.db, [id]), lang);
}

export interface ModuleQuery {
  readonly parcelId?: number | undefined;
  readonly category?: Category | undefined;
  readonly search?: string | undefined;
  readonly lang: Lang;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly detail: 'concise' | 'full';
}

/** By its name, where it has none by the default one in any language, or by what it is marked with. */
const matches = (module: Module, search: string): boolean =>
  [...LANGS.map((lang) => shownName(module, lang)), module.uid, module.serialHex].some(
    (text) => text != null && folded(text).includes(search),
  );

export async function listModules(call: Call, asked: ModuleQuery) {
  const list = ['modules', call.company.id] as const;
  const afterId = placeOfCursor(list, asked.cursor, 1)?.[0] ?? 0;
  if (asked.parcelId !== undefined) await ownParcel(call, asked.parcelId);
  const all = await modulesAfter(call.db, 0, Number.MAX_SAFE_INTEGER, asked);
  const search = asked.search === undefined ? '' : folded(asked.search);
  const matching = search === '' ? all : all.filter((module) => matches(module, search));
  call.remark(sayInAll(matching.length, call.lang));
  const rows = matching.filter((module) => module.id > afterId).slice(0, asked.limit + 1);
  const { data, next_cursor } = pageOf(list, rows, asked.limit, (module) => [module.id]);
  if (asked.detail === 'concise')
    return {
      data: data.map((module) => Object.assign(concise(module, asked.lang), { gateway: gatewayOf(module) })),
      next_cursor,
    };
  const sensors = await sensorsOf(
    call.db,
    data.map((module) => module.id),
  );
  const of = (module: Module) => sensors.filter((sensor) => sensor.moduleId === module.id);
  return { data: data.map((module) => moduleBodyOf(module, of(module), asked.lang)), next_cursor };
}
