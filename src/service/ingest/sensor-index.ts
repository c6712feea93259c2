import { firstOf } from '../../domain/items.ts';
import { LANGS } from '../../domain/lang.ts';
import { foldText, quote } from '../../domain/text.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { AcequiaError } from '../../schema/error.ts';
import {
  type ModuleName,
  moduleNames,
  moduleNamesByIds,
  moduleNamesByNames,
  moduleNamesByUids,
} from '../../store/company/modules.ts';
import { allSensors, type Sensor, sensorsOf } from '../../store/company/sensors.ts';
import type { CompanyDb } from '../../store/tables.ts';

export interface SensorIndex {
  readonly modules: readonly ModuleName[];
  readonly sensors: readonly Sensor[];
  readonly byId: ReadonlyMap<number, ModuleName>;
  readonly byUid: ReadonlyMap<string, readonly ModuleName[]>;
  readonly byName: ReadonlyMap<string, readonly ModuleName[]>;
  readonly byFoldedName: () => ReadonlyMap<string, readonly ModuleName[]>;
  readonly sensorAt: ReadonlyMap<string, Sensor>;
}

export async function loadSensorIndex(db: CompanyDb): Promise<SensorIndex> {
  return buildSensorIndex(await moduleNames(db), await allSensors(db));
}

/**
 * Has every module that one of the texts can mean, so that findModules finds the same for them as
 * in an index of all modules.
 */
export async function loadSensorIndexOf(
  db: CompanyDb,
  texts: Iterable<string>,
): Promise<SensorIndex> {
  const modules = await modulesMeantBy(db, texts);
  const ids = modules.map(({ id }) => id);
  return buildSensorIndex(modules, await sensorsOf(db, ids));
}

/**
 * Of the module that a CSV is said to be from; of all modules if its rows name them, or if it
 * names none of them.
 */
export async function loadCsvIndex(
  db: CompanyDb,
  module: string | undefined,
  otherTexts: Iterable<string> = [],
): Promise<SensorIndex> {
  if (module === undefined) return loadSensorIndex(db);

  const id = IMPORT_ID.exec(module.trim())?.[1];
  const texts = id === undefined ? [module] : [module, `#${id}`];
  const index = await loadSensorIndexOf(db, [...otherTexts, ...texts]);

  return importModules(index, module).length > 0 ? index : loadSensorIndex(db);
}

async function modulesMeantBy(db: CompanyDb, texts: Iterable<string>): Promise<ModuleName[]> {
  const { ids, names } = sortTexts(texts);
  const found: ModuleName[] = ids.length === 0 ? [] : await moduleNamesByIds(db, ids);

  const byUid = names.length === 0 ? [] : await moduleNamesByUids(db, names);
  const uids = new Set(byUid.map(({ uid }) => uid));
  const otherNames = names.filter((name) => !uids.has(name));
  found.push(...byUid, ...(await modulesWithNames(db, otherNames)));

  return [...new Map(found.map((module) => [module.id, module])).values()].sort(
    (a, b) => a.id - b.id,
  );
}

/**
 * A text that no index of the database can hold, such as an empty one, is the name of no module.
 */
function sortTexts(texts: Iterable<string>): { ids: number[]; names: string[] } {
  const ids = new Set<number>();
  const names = new Set<string>();
  for (const text of texts) {
    const name = text.trim();
    const id = MODULE_ID.exec(name)?.[1];
    if (id !== undefined) ids.add(Number(id));
    else if (name !== '' && name.length <= MAX_NAME_LENGTH && !name.includes('\0')) names.add(name);
  }
  return { ids: [...ids], names: [...names] };
}

/** Names that only match without case and accents are looked for among those of all modules. */
async function modulesWithNames(db: CompanyDb, names: readonly string[]): Promise<ModuleName[]> {
  if (names.length === 0) return [];
  const numbers = names.flatMap((name) => Number(/ (-?\d{1,15})$/.exec(name)?.[1] ?? []));
  const found = await moduleNamesByNames(db, names, numbers);
  const { byName } = buildSensorIndex(found, []);
  const otherNames = names.filter((name) => !byName.has(name));
  if (otherNames.length === 0) return found;

  const all = buildSensorIndex(await moduleNames(db), []);
  return [...found, ...otherNames.flatMap((name) => findModules(all, name))];
}

export function buildSensorIndex(
  modules: readonly ModuleName[],
  sensors: readonly Sensor[],
): SensorIndex {
  const sensorAt = new Map<string, Sensor>();
  for (const sensor of sensors) {
    const key = sensorKey(sensor.moduleId, sensor.type, sensor.depth);
    if (!sensorAt.has(key)) sensorAt.set(key, sensor);
  }

  let byFoldedName: ReadonlyMap<string, readonly ModuleName[]> | null = null;
  return {
    modules,
    sensors,
    byId: new Map(modules.map((module) => [module.id, module])),
    byUid: groupByName(modules, (module) => [module.uid]),
    byName: groupByName(modules, displayNames),
    byFoldedName() {
      byFoldedName ??= groupByName(modules, (module) =>
        [module.uid, ...displayNames(module)].map(foldText),
      );
      return byFoldedName;
    },
    sensorAt,
  };
}

function groupByName(
  modules: readonly ModuleName[],
  namesOf: (module: ModuleName) => readonly string[],
): Map<string, ModuleName[]> {
  const byName = new Map<string, ModuleName[]>();
  for (const module of modules)
    for (const name of new Set(namesOf(module))) {
      const namesakes = byName.get(name);
      if (namesakes === undefined) byName.set(name, [module]);
      else namesakes.push(module);
    }
  return byName;
}

const sensorKey = (moduleId: number, type: string, depth: number | null): string =>
  `${moduleId} ${type} ${depth}`;

const displayNames = (module: ModuleName): string[] =>
  LANGS.flatMap((lang) => moduleDisplayName(module, lang) ?? []);

/** In characters: folding the case and accents of a text of megabytes would take minutes. */
const MAX_NAME_LENGTH = 200;

const MODULE_ID = /^#(\d{1,15})$/;

/**
 * Matches the uid, or else the name, or else either of them without case and accents; `#12` is
 * always an id.
 */
export function findModules(index: SensorIndex, text: string): readonly ModuleName[] {
  const name = text.trim();
  if (name.length > MAX_NAME_LENGTH) return [];

  const id = MODULE_ID.exec(name)?.[1];
  if (id !== undefined) return modulesWithId(index, Number(id));

  return (
    index.byUid.get(name) ??
    index.byName.get(name) ??
    index.byFoldedName().get(foldText(name)) ??
    []
  );
}

/** The modules that `module` of an item names: the text of a uid or name, or the number of an id. */
export function modulesOfItem(
  index: SensorIndex,
  module: number | string | undefined,
): readonly ModuleName[] {
  if (module === undefined) return [];
  if (typeof module === 'string') return findModules(index, module);
  return modulesWithId(index, module);
}

function modulesWithId(index: SensorIndex, id: number): ModuleName[] {
  const module = index.byId.get(id);
  return module === undefined ? [] : [module];
}

const IMPORT_ID = /^#?(\d+)$/;

function importModules(index: SensorIndex, text: string): ModuleName[] {
  const id = IMPORT_ID.exec(text.trim())?.[1];
  const byId = id === undefined ? [] : modulesWithId(index, Number(id));
  return [...new Set([...byId, ...findModules(index, text)])];
}

export function resolveImportModule(index: SensorIndex, text: string, field: string): ModuleName {
  const matches = importModules(index, text);
  if (matches.length === 1) return firstOf(matches);

  const candidates = (matches.length > 0 ? matches : index.modules)
    .slice(0, 5)
    .map((module) => `${quote(moduleDisplayName(module, 'en') ?? module.uid)} (#${module.id})`)
    .join(', ');
  if (matches.length > 1)
    throw new AcequiaError({
      code: 'AMBIGUOUS_NAME',
      status: 400,
      message: `${quote(text)} can mean several modules: ${candidates}.`,
      hint: `Pass the id with # before it as ${field}, such as "#${firstOf(matches).id}".`,
      field,
    });

  throw new AcequiaError({
    code: 'not_found',
    status: 404,
    message: `No module is called ${quote(text)}.`,
    hint:
      candidates === ''
        ? 'Import a farm file first: it declares the modules.'
        : `There are ${candidates}.`,
    field,
  });
}

export const findSensor = (
  index: SensorIndex,
  moduleId: number,
  type: string,
  depth: number | null,
): Sensor | undefined => index.sensorAt.get(sensorKey(moduleId, type, depth));
