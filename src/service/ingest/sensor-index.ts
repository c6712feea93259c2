import { firstOf } from '../../domain/items.ts';
import { LANGS } from '../../domain/lang.ts';
import { foldText } from '../../domain/strings.ts';
import { bracketedId } from '../../domain/text/program-names.ts';
import { commaSeparated, quotedName, say } from '../../domain/text/say.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { FileError } from '../../language/ingest/file-error.ts';
import type { ModuleName } from '../../store/company/modules.ts';
import type { Sensor } from '../../store/company/sensors.ts';
import { sensorColumnName } from './csv/column-names.ts';

/** Finds the modules and sensors of a company by what people and devices call them. */
export interface SensorIndex {
  /** Ordered by id. */
  readonly modules: readonly ModuleName[];
  readonly byId: ReadonlyMap<number, ModuleName>;
  readonly byUid: ReadonlyMap<string, readonly ModuleName[]>;
  readonly byName: ReadonlyMap<string, readonly ModuleName[]>;
  readonly byFoldedName: () => ReadonlyMap<string, readonly ModuleName[]>;
  readonly sensorById: ReadonlyMap<number, Sensor>;
  readonly sensorAt: ReadonlyMap<string, Sensor>;
  readonly sensorsByModule: ReadonlyMap<number, readonly Sensor[]>;
  /** Earlier readings (ms) are rejected: only the sums of their hours are kept; null: none are. */
  readonly keptFrom: number | null;
  /** The columns of a CSV that have a sensor in some module. */
  readonly allColumnNames: () => readonly string[];
}

export function buildSensorIndex(
  modules: readonly ModuleName[],
  sensors: readonly Sensor[],
  keptFrom: number | null = null,
): SensorIndex {
  const sensorAt = new Map<string, Sensor>();
  const sensorsByModule = new Map<number, Sensor[]>();
  for (const sensor of sensors) {
    const key = sensorKey(sensor.moduleId, sensor.type, sensor.depth);
    if (!sensorAt.has(key)) sensorAt.set(key, sensor);

    const sensorsOfModule = sensorsByModule.get(sensor.moduleId);
    if (sensorsOfModule === undefined) sensorsByModule.set(sensor.moduleId, [sensor]);
    else sensorsOfModule.push(sensor);
  }

  return {
    modules,
    byId: new Map(modules.map((module) => [module.id, module])),
    byUid: groupByName(modules, (module) => [module.uid]),
    byName: groupByName(modules, displayNames),
    byFoldedName: once(() =>
      groupByName(modules, (module) => [module.uid, ...displayNames(module)].map(foldText)),
    ),
    sensorById: new Map(sensors.map((sensor) => [sensor.id, sensor])),
    sensorAt,
    sensorsByModule,
    keptFrom,
    allColumnNames: once(() => [...new Set(sensors.map(sensorColumnName))]),
  };
}

/** Calls the function the first time that its result is needed. */
function once<T extends object>(compute: () => T): () => T {
  let result: T | undefined;
  return () => (result ??= compute());
}

export const sensorsOfModule = (
  { sensorsByModule }: SensorIndex,
  moduleId: number,
): readonly Sensor[] => sensorsByModule.get(moduleId) ?? [];

/** The columns of a CSV that have a sensor; null for those of all modules. */
export const columnNamesOf = (index: SensorIndex, moduleId: number | null): readonly string[] =>
  moduleId === null
    ? index.allColumnNames()
    : [...new Set(sensorsOfModule(index, moduleId).map(sensorColumnName))];

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

/**
 * The modules that `module` of an item may mean: the text of a uid or name, or the number of an id.
 * A number that is also the uid or name of another means both, and its row is rejected.
 */
export function modulesOfItem(
  index: SensorIndex,
  module: number | string | undefined,
): readonly ModuleName[] {
  if (module === undefined) return [];
  if (typeof module === 'string') return findModules(index, module);

  const byId = modulesWithId(index, module);
  return byId.length === 0 ? [] : [...new Set([...byId, ...findModules(index, String(module))])];
}

export function modulesWithId(index: SensorIndex, id: number): ModuleName[] {
  const module = index.byId.get(id);
  return module === undefined ? [] : [module];
}

/** An option of an import may give the id without `#`, although a module may have that name. */
const IMPORT_ID = /^#?(\d+)$/;

function importModules(index: SensorIndex, text: string): ModuleName[] {
  const id = IMPORT_ID.exec(text.trim())?.[1];
  const byId = id === undefined ? [] : modulesWithId(index, Number(id));
  return [...new Set([...byId, ...findModules(index, text)])];
}

const MAX_NAMED_MODULES = 5;

export function resolveImportModule(index: SensorIndex, text: string, field: string): ModuleName {
  const matches = importModules(index, text);
  if (matches.length === 1) return firstOf(matches);

  const candidates = commaSeparated(
    (matches.length > 0 ? matches : index.modules)
      .slice(0, MAX_NAMED_MODULES)
      .map(
        (module) =>
          say`${quotedName(moduleDisplayName(module, 'en') ?? module.uid)}${bracketedId(module.id)}`,
      ),
  );
  const [first, second] = matches;
  if (first !== undefined && second !== undefined)
    throw new FileError(
      ({ fileFaults }) => fileFaults.severalModules(text, candidates, field, first.id),
      { code: 'AMBIGUOUS_NAME', field },
    );

  throw new FileError(({ fileFaults }) => fileFaults.unknownModule(text, candidates), {
    code: 'not_found',
    status: 404,
    field,
  });
}

export const findSensor = (
  index: SensorIndex,
  moduleId: number,
  type: string,
  depth: number | null,
): Sensor | undefined => index.sensorAt.get(sensorKey(moduleId, type, depth));
