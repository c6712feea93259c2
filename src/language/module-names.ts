import { DEFAULT_LANG } from '../domain/lang.ts';
import { isRecord } from '../domain/records.ts';
import { nameInSentence } from '../domain/strings.ts';
import { languageOf } from './index.ts';

interface Module {
  readonly id: number;
  readonly name: string | null;
  readonly uid: string;
  readonly category: string | null;
  readonly parcelId: number | null;
}

interface Parcel {
  readonly id: number;
  readonly name: string;
}

interface Directory {
  modules(): Promise<readonly Module[]>;
  parcels(): Promise<readonly Parcel[]>;
}

/** The end of a uid is often printed on the device. */
const SHOWN_CHARACTERS = 4;

/**
 * The name of a module in a sentence. Without one it is called by what it is and where, such as
 * "soil probe in North block", and, if others are called the same, by the end of its uid.
 */
export function nameOfModule(
  module: Module,
  modules: readonly Module[],
  parcels: readonly Parcel[],
): string {
  const name = nameInSentence(module.name);
  if (name !== '') return name;

  const kind = languageOf(DEFAULT_LANG).labels.moduleLabel(module.category).toLowerCase();
  const uid = indexOf(modules).distinctUid(module);
  const called = uid === null ? kind : `${kind} ${nameInSentence(uid)}`;
  const parcel = parcels.find(({ id }) => id === module.parcelId)?.name;

  return parcel === undefined ? called : `${called} in ${nameInSentence(parcel)}`;
}

/** Undefined for a module that is not among them. */
export const moduleOf = <M extends Module>(modules: readonly M[], id: number): M | undefined => {
  const index = indexOf(modules).positions.get(id);
  return index === undefined ? undefined : modules[index];
};

/** Modules without a name that are called the same. */
class Namesakes {
  #count = 0;
  readonly #uidsByEnd = new Map<string, number>();

  get count(): number {
    return this.#count;
  }

  add(uid: string): void {
    this.#count++;
    for (let length = 1; length <= Math.min(SHOWN_CHARACTERS, uid.length); length++) {
      const end = uid.slice(-length);
      this.#uidsByEnd.set(end, (this.#uidsByEnd.get(end) ?? 0) + 1);
    }
  }

  distinctEnd(uid: string): string {
    const end = uid.slice(-SHOWN_CHARACTERS);
    return this.#uidsByEnd.get(end) === 1 ? end : uid;
  }
}

const placeOf = ({ category, parcelId }: Module): string => `${category} ${parcelId}`;

function namesakesByPlace(modules: readonly Module[]): ReadonlyMap<string, Namesakes> {
  const found = new Map<string, Namesakes>();
  for (const module of modules) {
    if (nameInSentence(module.name) !== '') continue;
    const namesakes = found.get(placeOf(module)) ?? new Namesakes();
    found.set(placeOf(module), namesakes);
    namesakes.add(module.uid);
  }
  return found;
}

/** Lets the names of all modules be found in a time in proportion to their number. */
class ModuleIndex {
  readonly positions: ReadonlyMap<number, number>;
  readonly #modules: readonly Module[];
  /** Found when a module without a name is named first. */
  #namesakes: ReadonlyMap<string, Namesakes> | null = null;

  constructor(modules: readonly Module[]) {
    this.#modules = modules;
    this.positions = new Map(modules.map(({ id }, position) => [id, position]));
  }

  /** The end of its uid, if another module without a name is called the same; else null. */
  distinctUid(module: Module): string | null {
    this.#namesakes ??= namesakesByPlace(this.#modules);
    const namesakes = this.#namesakes.get(placeOf(module));
    return namesakes === undefined || namesakes.count < 2
      ? null
      : namesakes.distinctEnd(module.uid);
  }
}

/** By lists, which calls keep while they need names. */
const indexes = new WeakMap<readonly Module[], ModuleIndex>();

function indexOf(modules: readonly Module[]): ModuleIndex {
  const index = indexes.get(modules) ?? new ModuleIndex(modules);
  indexes.set(modules, index);
  return index;
}

/** Rows of modules in an answer, which have an id or are one, with names that tell them apart. */
export async function withModuleNames(body: unknown, directory: Directory): Promise<unknown> {
  if (!hasUnnamed(body)) return body;

  const [modules, parcels] = await Promise.all([directory.modules(), directory.parcels()]);
  const names = new Map(
    modules.map((module) => [module.id, nameOfModule(module, modules, parcels)]),
  );
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named);
    if (!isRecord(value)) return value;
    const row = Object.fromEntries(
      Object.entries(value).map(([key, field]) => [key, named(field)]),
    );
    const name = isUnnamed(value) ? names.get(Number(value.moduleId ?? value.id)) : undefined;
    return name === undefined ? row : { ...row, name };
  };

  return named(body);
}

const isUnnamed = (row: Readonly<Record<string, unknown>>): boolean =>
  row.name === null && (typeof row.moduleId === 'number' || typeof row.uid === 'string');

function hasUnnamed(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnnamed);
  return isRecord(value) && (isUnnamed(value) || Object.values(value).some(hasUnnamed));
}
