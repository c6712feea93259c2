import { shownName } from '../domain/labels.ts';
import { folded, quoted } from '../operation/names.ts';
import { AcequiaError } from '../schema/error.ts';
import { moduleNames, type Sensor, sensorsOf } from '../store/modules.ts';
import type { CompanyDb } from '../store/tables.ts';

type NamedModule = Awaited<ReturnType<typeof moduleNames>>[number];

/** A company's modules and sensors as a readings file names them. */
export interface SensorBook {
  readonly modules: readonly NamedModule[];
  readonly sensors: readonly Sensor[];
  readonly byId: ReadonlyMap<number, NamedModule>;
  readonly byUid: ReadonlyMap<string, readonly NamedModule[]>;
  readonly byName: ReadonlyMap<string, readonly NamedModule[]>;
  /** By uid and name without case and accents; made when it is first asked for. */
  readonly alike: () => ReadonlyMap<string, readonly NamedModule[]>;
  readonly sensorAt: ReadonlyMap<string, Sensor>;
}

export async function sensorBook(db: CompanyDb): Promise<SensorBook> {
  const modules = await moduleNames(db);
  const ids = modules.map((module) => module.id);
  return bookOf(modules, await sensorsOf(db, ids));
}

/** Everything that a row is looked up by, so that a name costs the same whatever the company has. */
export function bookOf(modules: readonly NamedModule[], sensors: readonly Sensor[]): SensorBook {
  const sensorAt = new Map<string, Sensor>();
  for (const sensor of sensors) {
    const place = placeOf(sensor.moduleId, sensor.type, sensor.depth);
    if (!sensorAt.has(place)) sensorAt.set(place, sensor);
  }
  let alike: ReadonlyMap<string, readonly NamedModule[]> | null = null;
  return {
    modules,
    sensors,
    byId: new Map(modules.map((module) => [module.id, module])),
    byUid: calledBy(modules, (module) => [module.uid]),
    byName: calledBy(modules, namesOf),
    alike() {
      alike ??= calledBy(modules, (module) => [module.uid, ...namesOf(module)].map(folded));
      return alike;
    },
    sensorAt,
  };
}

/** The modules by each of the names that `callsOf` gives them, in their order. */
function calledBy(
  modules: readonly NamedModule[],
  callsOf: (module: NamedModule) => readonly string[],
): Map<string, NamedModule[]> {
  const called = new Map<string, NamedModule[]>();
  for (const module of modules)
    for (const name of new Set(callsOf(module))) {
      const others = called.get(name);
      if (others === undefined) called.set(name, [module]);
      else others.push(module);
    }
  return called;
}

const placeOf = (moduleId: number, type: string, depth: number | null): string => `${moduleId} ${type} ${depth}`;

const namesOf = (module: NamedModule): string[] =>
  [shownName(module, 'en'), shownName(module, 'fr')].filter((name) => name !== null);

/** Modules that a row means: by uid, else by name, else either of them without case and accents; `#12` is always the id. */
export function modulesNamed(book: SensorBook, text: string): readonly NamedModule[] {
  const name = text.trim();
  const id = /^#(\d{1,15})$/.exec(name)?.[1];
  if (id !== undefined) return moduleOf(book, id);
  return book.byUid.get(name) ?? book.byName.get(name) ?? book.alike().get(folded(name)) ?? [];
}

function moduleOf(book: SensorBook, id: string): NamedModule[] {
  const module = book.byId.get(Number(id));
  return module === undefined ? [] : [module];
}

/** The module that a text names, be it uid, name or id; the caller calls the argument `field`. */
export function moduleMeant(book: SensorBook, text: string, field: string): NamedModule {
  const id = /^#?(\d+)$/.exec(text.trim())?.[1];
  const byId = id === undefined ? [] : moduleOf(book, id);
  const byName = modulesNamed(book, text);
  const found = [...new Set([...byId, ...byName])];
  if (found.length === 1) return found[0]!;
  const listed = (found.length > 0 ? found : book.modules)
    .slice(0, 5)
    .map((module) => `${quoted(shownName(module, 'en') ?? module.uid)} (#${module.id})`)
    .join(', ');
  if (found.length > 1)
    throw new AcequiaError({
      code: 'AMBIGUOUS_NAME',
      status: 400,
      message: `${quoted(text)} can mean several modules: ${listed}.`,
      hint: `Pass the id with # before it as ${field}, such as "#${found[0]!.id}".`,
      field,
    });
  throw new AcequiaError({
    code: 'not_found',
    status: 404,
    message: `No module is called ${quoted(text)}.`,
    hint: listed === '' ? 'Import a farm file first: it declares the modules.' : `There are ${listed}.`,
    field,
  });
}

/** The sensor of a module that measures `type` at `depth` cm (null: the one without a depth). */
export const sensorOf = (book: SensorBook, moduleId: number, type: string, depth: number | null): Sensor | undefined =>
  book.sensorAt.get(placeOf(moduleId, type, depth));
