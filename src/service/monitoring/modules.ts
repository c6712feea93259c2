import { distanceM } from '../../domain/company/geometry.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { foldText } from '../../domain/strings.ts';
import { moduleDisplayName, sensorDisplayLabel } from '../../language/default-names.ts';
import type { Call } from '../../operation/call.ts';
import type { Category, ModuleBody } from '../../schema/company/company.ts';
import { type Module, moduleCount, modulesAfter } from '../../store/company/modules.ts';
import { type Sensor, sensorsOf } from '../../store/company/sensors.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { assertOwnParcel, requireCommissionedModule } from '../ownership.ts';
import { idBeforePage, toPage } from '../pagination.ts';

export const toModuleBody = (
  module: Module,
  sensors: readonly Sensor[],
  lang: Lang,
): ModuleBody => ({
  ...conciseModule(module, lang),
  sensors: sensors.map((sensor) => toSensorBody(sensor, lang)),
  gateway: gatewayReference(module),
});

const gatewayReference = ({ gateway }: Module): ModuleBody['gateway'] =>
  gateway && { id: gateway.id, imei: gateway.imei };

const conciseModule = (module: Module, lang: Lang): Omit<ModuleBody, 'sensors' | 'gateway'> => ({
  id: module.id,
  uid: module.uid,
  name: moduleDisplayName(module, lang),
  serialHex: module.serialHex,
  category: module.category,
  location: locationOf(module),
  parcelId: module.parcelId,
});

function locationOf({ position, gateway }: Module): ModuleBody['location'] {
  if (!position) return null;

  const { lat, lon, source, gatewayId } = position;
  const gatewayPosition =
    gateway?.lat != null && gateway.lon != null ? { lat: gateway.lat, lon: gateway.lon } : null;

  return {
    lat,
    lon,
    source,
    // True if the position was declared for another gateway, before the present one.
    stale: (gateway?.id ?? null) !== gatewayId,
    driftMeters: gatewayPosition && Math.round(distanceM({ lat, lon }, gatewayPosition)),
  };
}

const toSensorBody = (sensor: Sensor, lang: Lang): ModuleBody['sensors'][number] => ({
  id: sensor.id,
  type: sensor.type,
  depth: sensor.depth,
  label: sensorDisplayLabel(sensor, lang),
});

export async function getModule(call: Call, id: number, lang: Lang): Promise<ModuleBody> {
  const module = await requireCommissionedModule(call, id);
  return toModuleBody(module, await sensorsOf(call.db, [id]), lang);
}

interface ModuleQuery {
  readonly parcelId?: number | undefined;
  readonly category?: Category | undefined;
  readonly search?: string | undefined;
  readonly lang: Lang;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly detail: 'concise' | 'full';
}

const matchesSearch = (module: Module, search: string): boolean =>
  [...LANGS.map((lang) => moduleDisplayName(module, lang)), module.uid, module.serialHex].some(
    (text) => text != null && foldText(text).includes(search),
  );

/** The rows of a page, with one more if others follow, and how many modules match in all. */
async function matchingModules(db: CompanyDb, query: ModuleQuery, afterId: number) {
  const maxRows = query.limit + 1;
  const search = query.search === undefined ? '' : foldText(query.search);
  if (search === '')
    return {
      rows: await modulesAfter(db, afterId, maxRows, query),
      count: await moduleCount(db, query),
    };

  // The store cannot search: default names depend on the language, and accents do not count.
  const modules = await modulesAfter(db, 0, Number.MAX_SAFE_INTEGER, query);
  const matching = modules.filter((module) => matchesSearch(module, search));
  return {
    rows: matching.filter(({ id }) => id > afterId).slice(0, maxRows),
    count: matching.length,
  };
}

export async function listModules(call: Call, query: ModuleQuery) {
  const list = ['modules', call.company.id] as const;
  const afterId = idBeforePage(list, query.cursor);
  if (query.parcelId !== undefined) await assertOwnParcel(call, query.parcelId);
  const { rows, count } = await matchingModules(call.db, query, afterId);
  if (count > 0) call.advise({ kind: 'total', count });
  const page = { limit: query.limit, positionOf: ({ id }: Module) => [id] };
  if (query.detail === 'concise')
    return toPage(list, rows, {
      ...page,
      bodyOf: (module) => ({
        ...conciseModule(module, query.lang),
        gateway: gatewayReference(module),
      }),
    });

  const sensors = await sensorsOf(
    call.db,
    rows.slice(0, query.limit).map((module) => module.id),
  );
  const sensorsOn = (module: Module) => sensors.filter((sensor) => sensor.moduleId === module.id);

  return toPage(list, rows, {
    ...page,
    bodyOf: (module) => toModuleBody(module, sensorsOn(module), query.lang),
  });
}
