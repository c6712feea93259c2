import { DEFAULT_LANG } from '../../domain/lang.ts';
import { call, list, name, type Sayable, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { nameInSentence } from '../../domain/text.ts';
import { languageOf } from '../index.ts';
import { distinctUid, moduleOf } from '../module-names.ts';
import {
  isProbe,
  type NameDirectory,
  type NamedModule,
  type NamedParcel,
} from '../summary-context.ts';

/** Without a name, a module is called by what it is and where, such as "soil probe in North block". */
export async function moduleText(directory: NameDirectory, id: number): Promise<Text> {
  const modules = await directory.modules();
  const found = moduleOf(modules, id);
  if (found === undefined) return say`module ${id}`;

  const called = nameInSentence(found.name);
  return called === ''
    ? kindAndPlace(found, modules, await directory.parcels())
    : say`${name(called)}`;
}

function kindAndPlace(
  module: NamedModule,
  modules: readonly NamedModule[],
  parcels: readonly NamedParcel[],
): Text {
  const kind = name(languageOf(DEFAULT_LANG).labels.moduleLabel(module.category).toLowerCase());
  const uid = distinctUid(modules, module);
  const called = uid === null ? say`${kind}` : say`${kind} ${name(uid)}`;
  const parcel = parcels.find(({ id }) => id === module.parcelId);
  return parcel === undefined ? called : say`${called} in ${name(parcel.name)}`;
}

export async function parcelText(directory: NameDirectory, id: number): Promise<Text> {
  const found = (await directory.parcels()).find((parcel) => parcel.id === id);
  const called = nameInSentence(found?.name);
  return called === '' ? say`parcel ${id}` : say`${name(called)}`;
}

/** The name of a probe, or of a parcel where a row is about a whole one. */
export async function targetText(
  directory: NameDirectory,
  { moduleId, parcelId }: { readonly moduleId: number | null; readonly parcelId: number | null },
): Promise<Text> {
  if (moduleId !== null) return moduleText(directory, moduleId);
  return parcelId === null ? say`an unknown target` : parcelText(directory, parcelId);
}

export const namedProbesOf = async (
  directory: NameDirectory,
  parcelId: number,
): Promise<Text[]> => {
  const probes = (await directory.modules()).filter(
    (module) => module.parcelId === parcelId && isProbe(module),
  );
  return Promise.all(probes.map(({ id }) => moduleText(directory, id)));
};

const MAX_PROBES_OF_PARCEL = 3;

/**
 * "North block (North 1 and North 2)": which probes the name of a parcel stood for. More than three
 * are counted, and the call that lists them follows.
 */
export function withProbes(parcel: Text, probes: readonly Text[]): Text {
  if (probes.length === 0) return parcel;
  return probes.length > MAX_PROBES_OF_PARCEL
    ? say`${parcel} (${probes.length} probes)${call('list_modules', 'parcel')}`
    : say`${parcel} (${list(probes)})`;
}

const MAX_LISTED_NAMES = 6;

/** "North 1, North 2 and 4 more". */
export function shortList(names: readonly Sayable[]): Text {
  const omitted = names.length - MAX_LISTED_NAMES;
  return omitted <= 1
    ? say`${list(names)}`
    : say`${list([...names.slice(0, MAX_LISTED_NAMES), say`${omitted} more`])}`;
}

export const shortListOrNull = (names: readonly Sayable[]): Text | null =>
  names.length === 0 ? null : shortList(names);
