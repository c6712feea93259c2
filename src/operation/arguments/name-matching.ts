import { foldText } from '../../domain/text.ts';
import { isProbe, type NamedModule, type NamedParcel } from '../../language/summary-context.ts';
import {
  cropWordsOf,
  looseCropWords,
  ordinalsAsNumbers,
  readSpokenName,
  type SpokenName,
} from '../../language/words/spoken-name.ts';

export interface NamedEntity {
  readonly id: number;
  readonly name: string | null;
  readonly otherNames?: readonly string[];
  /** The crop of a parcel. */
  readonly type?: string | null | undefined;
}

/** In characters; longer than any name. */
export const MAX_NAME_LENGTH = 1_000;

type Matches = <T extends NamedEntity>(all: readonly T[]) => readonly T[];

const firstWithMatches =
  (...levels: readonly Matches[]): Matches =>
  (all) => {
    for (const level of levels) {
      const matches = level(all);
      if (matches.length > 0) return matches;
    }
    return [];
  };

const foldedName = ({ name }: NamedEntity): string | null =>
  name === null ? null : foldText(name);
const foldedOtherNames = ({ otherNames = [] }: NamedEntity): string[] => otherNames.map(foldText);

/**
 * Compares exactly, then without case and accents, then in other languages. Names that differ only
 * in case stay ambiguous.
 */
export function wholeNameMatches(text: string): Matches {
  if (text.length > MAX_NAME_LENGTH) return () => [];
  const folded = foldText(text);
  return firstWithMatches(
    (all) => all.filter((each) => each.name === text.trim()),
    (all) => all.filter((each) => foldedName(each) === folded),
    (all) => all.filter((each) => foldedOtherNames(each).includes(folded)),
  );
}

/** False if the part ends within a number: "North 1" is not a part of "North 10". */
function isPartOf(part: string, name: string): boolean {
  const isDigit = (character: string | undefined): boolean => /\d/.test(character ?? '');
  for (let at = name.indexOf(part); at !== -1; at = name.indexOf(part, at + 1)) {
    const end = at + part.length;
    const cutsNumber =
      (isDigit(part[0]) && isDigit(name[at - 1])) || (isDigit(part.at(-1)) && isDigit(name[end]));
    if (!cutsNumber) return true;
  }
  return false;
}

/** Matches nothing for fewer than three characters, or digits alone. */
export function partialNameMatches(text: string): Matches {
  const folded = text.length > MAX_NAME_LENGTH ? '' : foldText(text);
  if (folded.length < 3 || /^\d+$/.test(folded)) return () => [];
  const isPart = (name: string): boolean => isPartOf(folded, name);
  return firstWithMatches(
    (all) => all.filter((each) => isPart(foldedName(each) ?? '')),
    (all) => all.filter((each) => foldedOtherNames(each).some(isPart)),
  );
}

const areEqual = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each, index) => each === others[index]);

const isSubset = (some: readonly string[], others: readonly string[]): boolean =>
  some.every((each) => others.includes(each));

/** True if `others` contains `some` in the same order, with any others between them. */
function isSubsequence(some: readonly string[], others: readonly string[]): boolean {
  let found = 0;
  for (const each of others) if (each === some[found]) found++;
  return found === some.length;
}

/**
 * True if the module is of every kind of device in the text: "the north tensiometer" is not a soil
 * probe.
 */
export function matchesDevices(
  { devices }: SpokenName,
  module: NamedModule,
  itsName: SpokenName | null,
): boolean {
  return devices.every(
    (device) =>
      device === 'module' ||
      itsName?.devices.includes(device) ||
      (device === 'probe' && (isProbe(module) || module.category === null)) ||
      (device === 'tensiometer' && module.category === 'TENSIOMETER') ||
      (device === 'station' && module.category === 'WEATHER_STATION'),
  );
}

const EMPTY: SpokenName = { compact: '', words: [], places: [], devices: [], numbers: [] };

interface SpokenPlace {
  readonly name: SpokenName;
  readonly cropWords: readonly string[];
}

/** Parses each name once. */
export interface SpokenDirectory {
  readonly nameOf: (entity: NamedEntity) => SpokenName;
  readonly placeOf: (parcelId: number | null) => SpokenPlace;
}

export function spokenDirectory(parcels: readonly NamedParcel[]): SpokenDirectory {
  const names = new Map<NamedEntity, SpokenName>();
  const places = new Map<number, SpokenPlace>();
  const parcelsById = new Map(parcels.map((parcel) => [parcel.id, parcel]));

  const nameOf = (entity: NamedEntity): SpokenName => {
    const spoken = names.get(entity) ?? readSpokenName(entity.name ?? '');
    names.set(entity, spoken);
    return spoken;
  };

  return {
    nameOf,
    placeOf(parcelId) {
      const parcel = parcelId === null ? undefined : parcelsById.get(parcelId);
      if (parcel === undefined) return { name: EMPTY, cropWords: [] };
      const place = places.get(parcel.id) ?? {
        name: nameOf(parcel),
        cropWords: cropWordsOf(parcel.type),
      };
      places.set(parcel.id, place);
      return place;
    },
  };
}

/** Which modules and parcels a text means at one level of strictness. */
export interface Level {
  readonly isModule: (module: NamedModule) => boolean;
  readonly isParcel: (parcel: NamedParcel) => boolean;
}

/** "North 2" is not the probe 1 of a parcel 2. */
const numbersFit = (
  numbers: readonly string[],
  own: readonly string[],
  place: readonly string[],
): boolean =>
  own.length === 0
    ? isSubsequence(numbers, place)
    : isSubsequence(numbers, own) ||
      areEqual(numbers, [...place, ...own]) ||
      areEqual(numbers, [...own, ...place]);

/**
 * From strict to loose: the same words but for kinds of place and device, words of a longer name,
 * words of parcel and crop.
 */
export function looseLevels(spokenName: SpokenName, { nameOf, placeOf }: SpokenDirectory): Level[] {
  const hasWords = spokenName.words.length > 0;
  const isSubstantial = spokenName.words.join('').length >= 3;

  const isWhole = (name: SpokenName): boolean =>
    hasWords &&
    areEqual(spokenName.words, name.words) &&
    areEqual(spokenName.numbers, name.numbers);

  const isPart = (name: SpokenName): boolean =>
    isSubstantial &&
    isSubset(spokenName.words, name.words) &&
    isSubsequence(spokenName.numbers, name.numbers);

  const named = (matches: (name: SpokenName) => boolean): Level => ({
    isModule: (module) =>
      matches(nameOf(module)) && matchesDevices(spokenName, module, nameOf(module)),
    isParcel: (parcel) => matches(nameOf(parcel)),
  });

  const namesSpecificDevice = spokenName.devices.some(
    (device) => device === 'tensiometer' || device === 'station',
  );

  const inContext = (cropsOf: (words: readonly string[]) => readonly string[]): Level => ({
    isModule(module) {
      const own = nameOf(module);
      const { name: place, cropWords } = placeOf(module.parcelId);
      const isOwn =
        namesSpecificDevice ||
        spokenName.words.some((word) => own.words.includes(word)) ||
        spokenName.numbers.some((number) => own.numbers.includes(number));

      return (
        isOwn &&
        (hasWords || namesSpecificDevice) &&
        isSubset(spokenName.words, [...own.words, ...place.words, ...cropsOf(cropWords)]) &&
        numbersFit(spokenName.numbers, own.numbers, place.numbers) &&
        matchesDevices(spokenName, module, own)
      );
    },
    isParcel(parcel) {
      const { name, cropWords } = placeOf(parcel.id);
      return (
        hasWords &&
        isSubset(spokenName.words, [...name.words, ...cropsOf(cropWords)]) &&
        isSubsequence(spokenName.numbers, name.numbers)
      );
    },
  });

  return [named(isWhole), named(isPart), inContext((words) => words), inContext(looseCropWords)];
}

/** The same words, apart from spelled-out numbers, spaces, plurals and the language. */
export function wholeSpokenLevels(spokenName: SpokenName, { nameOf }: SpokenDirectory): Level[] {
  const hasText = spokenName.compact !== '';
  const isCompact = (entity: NamedEntity): boolean =>
    hasText && nameOf(entity).compact === spokenName.compact;
  const isSame = ({ words, places, numbers }: SpokenName): boolean =>
    hasText &&
    areEqual(spokenName.words, words) &&
    areEqual(spokenName.places, places) &&
    areEqual(spokenName.numbers, numbers);

  return [
    { isModule: isCompact, isParcel: isCompact },
    {
      isModule: (module) =>
        isSame(nameOf(module)) && areEqual(spokenName.devices, nameOf(module).devices),
      isParcel: (parcel) => isSame(nameOf(parcel)) && hasName(spokenName),
    },
  ];
}

/** True if the text has more than devices and numbers. */
const hasName = ({ words, places }: SpokenName): boolean => words.length + places.length > 0;

/**
 * True if its number is its rank among the names that differ only in their number, unlike "North 2"
 * beside "North 3".
 */
function isNthOfItsName(
  entity: NamedEntity,
  all: readonly NamedEntity[],
  { nameOf }: SpokenDirectory,
): boolean {
  const { words, places, devices, numbers } = nameOf(entity);
  if (numbers.length !== 1) return false;

  const isBefore = (each: NamedEntity): boolean => {
    const other = nameOf(each);
    return (
      areEqual(other.words, words) &&
      areEqual(other.places, places) &&
      areEqual(other.devices, devices) &&
      other.numbers.length === 1 &&
      Number(other.numbers[0]) < Number(numbers[0])
    );
  };

  return all.filter(isBefore).length + 1 === Number(numbers[0]);
}

/**
 * For "the second north probe", where the names are numbered from one. Empty without an ordinal.
 */
export function ordinalLevels(
  spokenName: SpokenName,
  spoken: SpokenDirectory,
  {
    modules,
    parcels,
  }: { readonly modules: readonly NamedModule[]; readonly parcels: readonly NamedParcel[] },
): Level[] {
  if (!spokenName.numbers.some((number) => number.endsWith('.'))) return [];
  const counted = ordinalsAsNumbers(spokenName);
  return [...wholeSpokenLevels(counted, spoken), ...looseLevels(counted, spoken)].map((level) => ({
    isModule: (module) => level.isModule(module) && isNthOfItsName(module, modules, spoken),
    isParcel: (parcel) => level.isParcel(parcel) && isNthOfItsName(parcel, parcels, spoken),
  }));
}
