import { firstOf } from '../../domain/items.ts';
import { failure, ok, type Result } from '../../domain/result.ts';
import { quotedName, say, word } from '../../domain/text/say.ts';
import {
  isProbe,
  type NameDirectory,
  type NamedModule,
  type NamedParcel,
} from '../../language/summary-context.ts';
import { readSpokenName, type SpokenName, spokenNameOf } from '../../language/words/spoken-name.ts';
import type { Scope } from '../../schema/scope.ts';
import {
  ambiguousName,
  type NameQuery,
  probeInPlaceOfParcel,
  unknownEntity,
  unknownModule,
} from './name-errors.ts';
import {
  type Directory,
  looseLevels,
  MAX_NAME_LENGTH,
  matchesDevices,
  type NamedEntity,
  ordinalLevels,
  partialNameMatches,
  type SpokenDirectory,
  spokenDirectory,
  wholeNameMatches,
  wholeSpokenLevels,
} from './name-matching.ts';
import { haveOtherSigns } from './name-signs.ts';

export interface ResolvedName {
  readonly id: number;
  readonly onlyProbe?: { readonly parcel: string; readonly probe: string };
  /** Absent if the text is the exact name or the id. */
  readonly matchedName?: string;
}

/** What errors need to know about the argument that holds the name. */
export type NameField = Omit<NameQuery, 'text' | 'missingScope'>;

/** `#12` is always an id, and so are digits without a match. */
function matchId<T extends NamedEntity>(
  { text, isWrite = false }: NameQuery,
  all: readonly T[],
): Result<{ id: number }, T[]> | null {
  const explicitId = /^#(\d{1,15})$/.exec(text.trim());
  if (explicitId) return ok({ id: Number(explicitId[1]) });
  if (!/^\d{1,15}$/.test(text.trim())) return null;
  const id = Number(text.trim());
  const withId = all.filter((each) => each.id === id);
  // What is read shows its name; a write on the wrong one might not be noticed.
  const isCalled = ({ name }: T): boolean =>
    name === text.trim() || (isWrite && withId.length > 0 && finalNumber(name) === id);
  const matches = [...withId, ...all.filter((each) => each.id !== id && isCalled(each))];
  return matches.length > 1 ? failure(matches) : ok({ id: matches[0]?.id ?? id });
}

const matchedNameOf = ({ onlyProbe, matchedName }: ResolvedName): string | undefined =>
  onlyProbe?.parcel ?? matchedName;

/** In a write "A-" is not the probe "A+"; an answer to a read shows the name. */
const isOtherName = ({ text, isWrite = false }: NameQuery, name: string | undefined): boolean =>
  isWrite &&
  name !== undefined &&
  readSpokenName(text).compact === spokenNameOf(name).compact &&
  haveOtherSigns(text, name);

function finalNumber(name: string | null): number | null {
  const digits = name === null ? undefined : /\d{1,15}$/.exec(name.trim())?.[0];
  return digits === undefined ? null : Number(digits);
}

/** For an entity that is created unless it exists: therefore only a whole name matches. */
export function findByWholeName<T extends NamedEntity>(
  text: string,
  all: readonly T[],
  kind: 'parcel' | 'module',
  missingScope: Scope | null,
): T | null {
  const query: NameQuery = { text, field: 'name', code: 'not_found', missingScope };
  const id = /^#(\d{1,15})$/.exec(text.trim())?.[1];
  const matches =
    id === undefined ? wholeNameMatches(text)(all) : all.filter((each) => each.id === Number(id));
  if (matches.length > 1) throw ambiguousName(word(`${kind}s` as const), query, matches);
  if (matches.length === 0 && id !== undefined) throw unknownEntity(kind, query, all);
  return matches[0] ?? null;
}

const displayName = ({ name, id }: NamedModule): string => name ?? `module ${id}`;

/** A looser match counts only if no stricter one found anything. */
export async function resolveParcel(
  text: string,
  directory: NameDirectory,
  field: NameField,
): Promise<ResolvedName> {
  const parcels = await directory.parcels();
  const query: NameQuery = {
    text,
    ...field,
    missingScope: directory.missingScopes?.parcels ?? null,
  };
  const byId = matchId(query, parcels);
  if (byId?.ok) return byId.value;
  if (byId) throw ambiguousName(say`parcels`, query, byId.failure);

  const exact = wholeNameMatches(text)(parcels);
  if (exact.length > 1) throw ambiguousName(say`parcels`, query, exact);
  if (exact.length === 1) return { id: firstOf(exact).id };

  const spoken = await spokenDirectory({ modules: [], parcels }, directory);
  for (const matches of looseParcelMatches(text, parcels, spoken)) {
    if (matches.length > 1) throw ambiguousName(say`parcels`, query, matches);
    if (matches.length === 1) {
      const parcel = firstOf(matches);
      if (isOtherName(query, parcel.name)) throw unknownEntity('parcel', query, parcels);
      await assertMeansWholeParcel(query, parcel, directory, parcels);
      return { id: parcel.id, matchedName: parcel.name };
    }
  }

  const probes =
    query.missingScope === null && !directory.missingScopes?.modules
      ? await modulesCalled(text, directory)
      : [];
  if (probes.length > 0) throw probeInPlaceOfParcel(query, probes, parcels);

  throw unknownEntity('parcel', query, parcels);
}

/** "Both probes" of a parcel that has a tensiometer too are not all that stands in it. */
async function assertMeansWholeParcel(
  query: NameQuery,
  parcel: NamedParcel,
  directory: NameDirectory,
  parcels: readonly NamedParcel[],
): Promise<void> {
  const spokenName = readSpokenName(query.text.slice(0, MAX_NAME_LENGTH));
  if (spokenName.devices.length === 0 || directory.missingScopes?.modules) return;

  const probes = probesOf(parcel, await directory.modules(), null);
  const meant = withoutTensiometers(
    probes.filter((probe) => matchesDevices(spokenName, probe, null)),
    spokenName,
  );
  if (meant.length > 0 && meant.length < probes.length)
    throw probeInPlaceOfParcel(query, meant, parcels);
}

/** From strict to loose, each computed when the stricter ones matched nothing. */
function* looseParcelMatches(
  text: string,
  parcels: readonly NamedParcel[],
  spoken: SpokenDirectory,
): Generator<readonly NamedParcel[]> {
  const spokenName = readSpokenName(text.slice(0, MAX_NAME_LENGTH));

  for (const { isParcel } of wholeSpokenLevels(spokenName, spoken)) yield parcels.filter(isParcel);
  yield partialNameMatches(text)(parcels);
  for (const { isParcel } of [
    ...looseLevels(spokenName, spoken),
    ...ordinalLevels(spokenName, spoken, { modules: [], parcels }),
  ])
    yield parcels.filter(isParcel);
}

/** Matches whole names only, in any spelling. */
async function modulesCalled(
  text: string,
  directory: NameDirectory,
): Promise<readonly NamedModule[]> {
  const modules = await directory.modules();
  const exact = wholeNameMatches(text)(modules);
  if (exact.length > 0) return exact;

  const levels = wholeSpokenLevels(
    readSpokenName(text.slice(0, MAX_NAME_LENGTH)),
    await spokenDirectory({ modules, parcels: [] }, directory),
  );

  return (
    levels.map(({ isModule }) => modules.filter(isModule)).find((matches) => matches.length > 0) ??
    []
  );
}

/** What a text may mean at one level: modules, or parcels that stand for their probes. */
interface Meaning extends Directory {
  readonly isExact: boolean;
}

interface Names extends Directory {
  readonly spoken: SpokenDirectory;
  readonly spokenName: SpokenName;
}

/**
 * From strict to loose. A whole name of a module wins over that of a parcel; partial names of both
 * count equally.
 */
function* meaningsAfterModules(
  text: string,
  { modules, parcels, spoken, spokenName }: Names,
): Generator<Meaning> {
  const exactParcels = wholeNameMatches(text);
  yield { modules: [], parcels: exactParcels(parcels), isExact: true };

  for (const { isModule, isParcel } of wholeSpokenLevels(spokenName, spoken)) {
    yield { modules: modules.filter(isModule), parcels: [], isExact: false };
    yield { modules: [], parcels: parcels.filter(isParcel), isExact: false };
  }

  const partial = partialNameMatches(text);
  yield { modules: partial(modules), parcels: partial(parcels), isExact: false };

  for (const { isModule, isParcel } of [
    ...looseLevels(spokenName, spoken),
    ...ordinalLevels(spokenName, spoken, { modules, parcels }),
  ])
    yield { modules: modules.filter(isModule), parcels: parcels.filter(isParcel), isExact: false };
}

/** The name of a parcel stands for its only probe. */
export async function resolveModule(
  text: string,
  directory: NameDirectory,
  field: NameField,
): Promise<ResolvedName> {
  const modules = await directory.modules();
  const query: NameQuery = {
    text,
    ...field,
    missingScope: directory.missingScopes?.modules ?? null,
  };
  const byId = matchId(query, modules);
  if (byId?.ok) return byId.value;
  if (byId) throw severalNamed(query, byId.failure);

  const exact = wholeNameMatches(text)(modules);
  if (exact.length > 1) throw severalNamed(query, exact);
  if (exact.length === 1) return { id: firstOf(exact).id };

  const parcels = await directory.parcels();
  const spoken = await spokenDirectory({ modules, parcels }, directory);
  const spokenName = readSpokenName(text.slice(0, MAX_NAME_LENGTH));
  const parcelsWithoutProbe: NamedParcel[] = [];

  for (const meaning of meaningsAfterModules(text, { modules, parcels, spoken, spokenName })) {
    const probes = meaning.parcels.flatMap((parcel) =>
      probesOf(parcel, modules, meaning.isExact ? null : spokenName),
    );
    const found = withoutTensiometers([...new Set([...meaning.modules, ...probes])], spokenName);
    if (found.length === 0) {
      parcelsWithoutProbe.push(...meaning.parcels);
      continue;
    }

    // The only probe of one of several parcels may not be the one that is meant.
    const isParcelUnclear = meaning.modules.length === 0 && meaning.parcels.length > 1;
    if (found.length > 1 || isParcelUnclear) throw severalModules(query, meaning, found, directory);
    const resolved = resolvedModule(firstOf(found), meaning);
    if (isOtherName(query, matchedNameOf(resolved))) break;
    return resolved;
  }

  throw unknownModule(query, modules, directory.missingScopes?.parcels ? [] : parcels, [
    ...new Set(parcelsWithoutProbe),
  ]);
}

const probesOf = (
  parcel: NamedParcel,
  modules: readonly NamedModule[],
  spokenName: SpokenName | null,
): NamedModule[] =>
  modules.filter(
    (module) =>
      module.parcelId === parcel.id &&
      isProbe(module) &&
      (spokenName === null || matchesDevices(spokenName, module, null)),
  );

/** Where a parcel has both, "the probe" is the soil probe: the other one is called a tensiometer. */
function withoutTensiometers(
  found: readonly NamedModule[],
  { devices }: SpokenName,
): readonly NamedModule[] {
  const soilProbes = found.filter(({ category }) => category === 'SOIL_PROBE');
  const onlyProbes = devices.length > 0 && devices.every((device) => device === 'probe');
  return onlyProbes && soilProbes.length > 0 ? soilProbes : found;
}

const severalNamed = (query: NameQuery, found: readonly NamedModule[]) =>
  ambiguousName(found.every(isProbe) ? say`probes` : say`modules`, query, found);

function severalModules(
  query: NameQuery,
  { modules, parcels }: Meaning,
  found: readonly NamedModule[],
  { missingScopes }: NameDirectory,
) {
  if (modules.length > 1) return severalNamed(query, modules);
  if (modules.length === 1) return severalNamed(query, found);
  if (parcels.length > 1) return ambiguousName(say`parcels, which have the probes`, query, found);

  const parcel = missingScopes?.parcels ? null : firstOf(parcels);
  return ambiguousName(
    parcel ? say`probes of the parcel ${quotedName(parcel.name)}` : say`probes of that parcel`,
    query,
    found,
    parcel,
  );
}

function resolvedModule(module: NamedModule, { modules, parcels, isExact }: Meaning): ResolvedName {
  if (modules.length === 0)
    return {
      id: module.id,
      onlyProbe: { parcel: firstOf(parcels).name, probe: displayName(module) },
    };
  return isExact ? { id: module.id } : { id: module.id, matchedName: displayName(module) };
}

/** Completion candidates for a text that no name contains. */
export async function namesMeantBy(text: string, directory: NameDirectory): Promise<Directory> {
  const names = { modules: await directory.modules(), parcels: await directory.parcels() };
  const spokenName = readSpokenName(text.slice(0, MAX_NAME_LENGTH));
  for (const meaning of meaningsAfterModules(text, {
    ...names,
    spoken: await spokenDirectory(names, directory),
    spokenName,
  })) {
    const probes = meaning.parcels.flatMap((parcel) => probesOf(parcel, names.modules, spokenName));
    const modules = [...new Set([...meaning.modules, ...probes])];
    if (modules.length + meaning.parcels.length > 0) return { modules, parcels: meaning.parcels };
  }

  return { modules: [], parcels: [] };
}
