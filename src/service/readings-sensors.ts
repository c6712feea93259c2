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
}

export async function sensorBook(db: CompanyDb): Promise<SensorBook> {
  const modules = await moduleNames(db);
  return {
    modules,
    sensors: await sensorsOf(
      db,
      modules.map((module) => module.id),
    ),
  };
}

const namesOf = (module: NamedModule): string[] =>
  [shownName(module, 'en'), shownName(module, 'fr')].filter((name) => name !== null);

/** Modules that a row means: by uid, else by name, else either of them without case and accents; `#12` is always the id. */
export function modulesNamed(book: SensorBook, text: string): NamedModule[] {
  const name = text.trim();
  const id = /^#(\d{1,15})$/.exec(name)?.[1];
  if (id !== undefined) return book.modules.filter((module) => module.id === Number(id));
  const alike = folded(name);
  const rules: ((module: NamedModule) => boolean)[] = [
    (module) => module.uid === name,
    (module) => namesOf(module).includes(name),
    (module) => [module.uid, ...namesOf(module)].some((each) => folded(each) === alike),
  ];
  for (const rule of rules) {
    const found = book.modules.filter(rule);
    if (found.length > 0) return found;
  }
  return [];
}

/** The module that a text names, be it uid, name or id; the caller calls the argument `field`. */
export function moduleMeant(book: SensorBook, text: string, field: string): NamedModule {
  const id = /^#?(\d+)$/.exec(text.trim())?.[1];
  const byId = book.modules.filter((module) => id !== undefined && module.id === Number(id));
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
  book.sensors.find((sensor) => sensor.moduleId === moduleId && sensor.type === type && sensor.depth === depth);
