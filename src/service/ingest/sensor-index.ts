import { LANGS } from '../../domain/lang.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { foldText, quote } from '../../language/text.ts';
import { AcequiaError } from '../../schema/error.ts';
import { moduleNames, type Sensor, sensorsOf } from '../../store/company/places.ts';
import type { CompanyDb } from '../../store/tables.ts';

type ImportModule = Awaited<ReturnType<typeof moduleNames>>[number];

export interface SensorIndex {
  readonly modules: readonly ImportModule[];
  readonly sensors: readonly Sensor[];
  readonly byId: ReadonlyMap<number, ImportModule>;
  readonly byUid: ReadonlyMap<string, readonly ImportModule[]>;
  readonly byName: ReadonlyMap<string, readonly ImportModule[]>;
  readonly byFoldedName: () => ReadonlyMap<string, readonly ImportModule[]>;
  readonly sensorAt: ReadonlyMap<string, Sensor>;
}

export async function loadSensorIndex(db: CompanyDb): Promise<SensorIndex> {
  const modules = await moduleNames(db);
  const ids = modules.map((module) => module.id);
  return buildSensorIndex(modules, await sensorsOf(db, ids));
}

export function buildSensorIndex(modules: readonly ImportModule[], sensors: readonly Sensor[]): SensorIndex {
  const sensorAt = new Map<string, Sensor>();
  for (const sensor of sensors) {
    const key = sensorKey(sensor.moduleId, sensor.type, sensor.depth);
    if (!sensorAt.has(key)) sensorAt.set(key, sensor);
  }
  let byFoldedName: ReadonlyMap<string, readonly ImportModule[]> | null = null;
  return {
    modules,
    sensors,
    byId: new Map(modules.map((module) => [module.id, module])),
    byUid: groupByName(modules, (module) => [module.uid]),
    byName: groupByName(modules, displayNames),
    byFoldedName() {
      byFoldedName ??= groupByName(modules, (module) => [module.uid, ...displayNames(module)].map(foldText));
      return byFoldedName;
    },
    sensorAt,
  };
}

function groupByName(
  modules: readonly ImportModule[],
  namesOf: (module: ImportModule) => readonly string[],
): Map<string, ImportModule[]> {
  const byName = new Map<string, ImportModule[]>();
  for (const module of modules)
    for (const name of new Set(namesOf(module))) {
      const namesakes = byName.get(name);
      if (namesakes === undefined) byName.set(name, [module]);
      else namesakes.push(module);
    }
  return byName;
}

const sensorKey = (moduleId: number, type: string, depth: number | null): string => `${moduleId} ${type} ${depth}`;

const displayNames = (module: ImportModule): string[] => LANGS.flatMap((lang) => moduleDisplayName(module, lang) ?? []);

/** In characters: folding the case and accents of a text of megabytes would take minutes. */
const MAX_NAME_LENGTH = 200;

/** Matches the uid, or else the name, or else either of them without case and accents; `#12` is always an id. */
export function findModules(index: SensorIndex, text: string): readonly ImportModule[] {
  const name = text.trim();
  if (name.length > MAX_NAME_LENGTH) return [];
  const id = /^#(\d{1,15})$/.exec(name)?.[1];
  if (id !== undefined) return modulesWithId(index, id);
  return index.byUid.get(name) ?? index.byName.get(name) ?? index.byFoldedName().get(foldText(name)) ?? [];
}

function modulesWithId(index: SensorIndex, id: string): ImportModule[] {
  const module = index.byId.get(Number(id));
  return module === undefined ? [] : [module];
}

export function resolveImportModule(index: SensorIndex, text: string, field: string): ImportModule {
  const id = /^#?(\d+)$/.exec(text.trim())?.[1];
  const byId = id === undefined ? [] : modulesWithId(index, id);
  const byName = findModules(index, text);
  const matches = [...new Set([...byId, ...byName])];
  if (matches.length === 1) return matches[0]!;
  const candidates = (matches.length > 0 ? matches : index.modules)
    .slice(0, 5)
    .map((module) => `${quote(moduleDisplayName(module, 'en') ?? module.uid)} (#${module.id})`)
    .join(', ');
  if (matches.length > 1)
    throw new AcequiaError({
      code: 'AMBIGUOUS_NAME',
      status: 400,
      message: `${quote(text)} can mean several modules: ${candidates}.`,
      hint: `Pass the id with # before it as ${field}, such as "#${matches[0]!.id}".`,
      field,
    });
  throw new AcequiaError({
    code: 'not_found',
    status: 404,
    message: `No module is called ${quote(text)}.`,
    hint: candidates === '' ? 'Import a farm file first: it declares the modules.' : `There are ${candidates}.`,
    field,
  });
}

export const findSensor = (
  index: SensorIndex,
  moduleId: number,
  type: string,
  depth: number | null,
): Sensor | undefined => index.sensorAt.get(sensorKey(moduleId, type, depth));
