import { DEFAULT_LANG } from '../domain/lang.ts';
import { isRecord } from '../domain/records.ts';
import { nameInSentence } from '../domain/text.ts';
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

/** Of a uid, which often ends in what is printed on the device. */
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

  const alike = modules.filter(
    (other) =>
      nameInSentence(other.name) === '' &&
      other.category === module.category &&
      other.parcelId === module.parcelId,
  );
  const kind = languageOf(DEFAULT_LANG).labels.moduleLabel(module.category).toLowerCase();
  const called = alike.length > 1 ? `${kind} ${uidAmong(module, alike)}` : kind;
  const parcel = parcels.find(({ id }) => id === module.parcelId)?.name;

  return parcel === undefined ? called : `${called} in ${nameInSentence(parcel)}`;
}

function uidAmong({ id, uid }: Module, alike: readonly Module[]): string {
  const end = uid.slice(-SHOWN_CHARACTERS);
  const isUnique = alike.every((other) => other.id === id || !other.uid.endsWith(end));
  return nameInSentence(isUnique ? end : uid);
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
    const fields = Object.entries(value).map(([key, field]) => [key, named(field)]);
    const name = isUnnamed(value) ? names.get(Number(value.moduleId ?? value.id)) : undefined;
    return { ...Object.fromEntries(fields), ...(name !== undefined && { name }) };
  };

  return named(body);
}

const isUnnamed = (row: Readonly<Record<string, unknown>>): boolean =>
  row.name === null && (typeof row.moduleId === 'number' || typeof row.uid === 'string');

function hasUnnamed(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnnamed);
  return isRecord(value) && (isUnnamed(value) || Object.values(value).some(hasUnnamed));
}
