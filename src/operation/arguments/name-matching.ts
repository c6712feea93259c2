import { finishInSlices } from '../../domain/event-loop.ts';
import { entryOf } from '../../domain/items.ts';
import { sliceOf } from '../../domain/shares/loop-turns.ts';
import { SERVICE_TAKER } from '../../domain/shares/takers.ts';
import { foldText } from '../../domain/strings.ts';
import {
  isProbe,
  type NameDirectory,
  type NamedModule,
  type NamedParcel,
} from '../../language/summary-context.ts';
import {
  cropWordsOf,
  looseCropWords,
  ordinalsAsNumbers,
  type SpokenName,
  spokenNameOf,
} from '../../language/words/spoken-name.ts';

export interface NamedEntity {
  readonly id: number;
  readonly name: string | null;
  readonly otherNames?: readonly string[];
  /** Of a module. */
  readonly uid?: string;
  /** The crop of a parcel. */
  readonly type?: string | null | undefined;
}

/** In characters; longer than any name. */
export const MAX_NAME_LENGTH = 1_000;

type Matcher = <T extends NamedEntity>(all: readonly T[]) => readonly T[];

const firstWithMatches =
  (...matchers: readonly Matcher[]): Matcher =>
  (all) => {
    for (const matcher of matchers) {
      const matches = matcher(all);
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
export function wholeNameMatches(text: string): Matcher {
  if (text.length > MAX_NAME_LENGTH) return () => [];
  const folded = foldText(text);
  return firstWithMatches(
    (all) => all.filter((each) => each.name === text.trim()),
    (all) => all.filter((each) => foldedName(each) === folded),
    (all) => all.filter((each) => foldedOtherNames(each).includes(folded)),
  );
}

/** False if the part would cut a number: "North 1" is not a part of "North 10". */
function isPartOf(part: string, name: string): boolean {
  const isDigit = (character: string | undefined): boolean => /\d/.test(character ?? '');
  for (let start = name.indexOf(part); start !== -1; start = name.indexOf(part, start + 1)) {
    const end = start + part.length;
    const cutsNumber =
      (isDigit(part[0]) && isDigit(name[start - 1])) ||
      (isDigit(part.at(-1)) && isDigit(name[end]));
    if (!cutsNumber) return true;
  }
  return false;
}

/** Matches nothing for fewer than three characters, or digits alone. */
export function partialNameMatches(text: string): Matcher {
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
  moduleName: SpokenName | null,
): boolean {
  return devices.every(
    (device) =>
      device === 'module' ||
      moduleName?.devices.includes(device) ||
      (device === 'probe' && (isProbe(module) || module.category === null)) ||
      (device === 'tensiometer' && module.category === 'TENSIOMETER') ||
      (device === 'station' && module.category === 'WEATHER_STATION'),
  );
}

const EMPTY: SpokenName = { compact: '', words: [], places: [], devices: [], numbers: [] };

interface SpokenParcel {
  readonly name: SpokenName;
  readonly cropWords: readonly string[];
  readonly looseCropWords: readonly string[];
}

const NO_PARCEL: SpokenParcel = { name: EMPTY, cropWords: [], looseCropWords: [] };

export interface SpokenDirectory {
  readonly nameOf: (entity: NamedEntity) => SpokenName;
  readonly parcelOf: (parcelId: number | null) => SpokenParcel;
}

export interface Directory {
  readonly modules: readonly NamedModule[];
  readonly parcels: readonly NamedParcel[];
}

/** Parses each name once, in slices of time, since a farm may have thousands. */
export async function spokenDirectory(
  { modules, parcels }: Directory,
  { taker = SERVICE_TAKER }: Pick<NameDirectory, 'taker'>,
): Promise<SpokenDirectory> {
  const names = new Map<NamedEntity, SpokenName>();
  const spokenParcels = new Map<number, SpokenParcel>();

  function* parseNames(): Generator<undefined, void> {
    for (const entity of [...modules, ...parcels]) {
      names.set(entity, spokenNameOf(entity.name ?? ''));
      yield;
    }
    for (const parcel of parcels) {
      const cropWords = cropWordsOf(parcel.type);
      spokenParcels.set(parcel.id, {
        name: entryOf(names, parcel),
        cropWords,
        looseCropWords: looseCropWords(cropWords),
      });
      yield;
    }
  }
  await finishInSlices(parseNames(), sliceOf(taker));

  return {
    nameOf: (entity) => entryOf(names, entity),
    parcelOf: (parcelId) =>
      (parcelId === null ? undefined : spokenParcels.get(parcelId)) ?? NO_PARCEL,
  };
}

/** Which modules and parcels a text means at one level of strictness. */
export interface Level {
  readonly isModule: (module: NamedModule) => boolean;
  readonly isParcel: (parcel: NamedParcel) => boolean;
}

/** For a module with a number, that of its parcel alone is not enough: "North 2" is not its probe 1. */
const numbersFit = (
  numbers: readonly string[],
  ofModule: readonly string[],
  ofParcel: readonly string[],
): boolean =>
  ofModule.length === 0
    ? isSubsequence(numbers, ofParcel)
    : isSubsequence(numbers, ofModule) ||
      areEqual(numbers, [...ofParcel, ...ofModule]) ||
      areEqual(numbers, [...ofModule, ...ofParcel]);

/** "Probe no 2", "sonde n 2". */
const NUMBER_SIGNS: readonly string[] = ['no', 'n', 'nr', 'num'];

/**
 * What is called by a number, with another kind of place or device, or with none: "probe 2" for "2",
 * "field 2" for "Block 2", "probe 2 of block 1".
 */
function numberLevel(spokenName: SpokenName, { nameOf, parcelOf }: SpokenDirectory): Level {
  const { words, places, devices, numbers } = spokenName;
  const isNumber = words.every((word) => NUMBER_SIGNS.includes(word)) && numbers.length > 0;
  const isCalledByNumber = (name: SpokenName): boolean =>
    name.words.length === 0 && name.numbers.length > 0;

  return {
    isModule(module) {
      const name = nameOf(module);
      if (!isNumber || !isCalledByNumber(name) || !matchesDevices(spokenName, module, name))
        return false;
      if (areEqual(numbers, name.numbers))
        return places.length === 0 || areEqual(places, name.places);

      const parcel = parcelOf(module.parcelId).name;
      const inBothOrders = [
        [...parcel.numbers, ...name.numbers],
        [...name.numbers, ...parcel.numbers],
      ];
      return (
        devices.length > 0 &&
        isCalledByNumber(parcel) &&
        inBothOrders.some((both) => areEqual(numbers, both))
      );
    },
    isParcel: (parcel) =>
      isNumber &&
      devices.length === 0 &&
      isCalledByNumber(nameOf(parcel)) &&
      areEqual(numbers, nameOf(parcel).numbers),
  };
}

/**
 * From strict to loose: the same words apart from kinds of place ("block") and of device ("probe");
 * words of a longer name; words of the names of probe, parcel and crop together.
 */
export function looseLevels(
  spokenName: SpokenName,
  { nameOf, parcelOf }: SpokenDirectory,
): Level[] {
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

  const byName = (matches: (name: SpokenName) => boolean): Level => ({
    isModule: (module) =>
      matches(nameOf(module)) && matchesDevices(spokenName, module, nameOf(module)),
    isParcel: (parcel) => matches(nameOf(parcel)),
  });

  const namesSpecificDevice = spokenName.devices.some(
    (device) => device === 'tensiometer' || device === 'station',
  );

  const byNameAndParcel = (crops: 'cropWords' | 'looseCropWords'): Level => ({
    isModule(module) {
      const moduleName = nameOf(module);
      const { name: parcelName, [crops]: cropWords } = parcelOf(module.parcelId);
      const namesModuleItself =
        namesSpecificDevice ||
        spokenName.words.some((word) => moduleName.words.includes(word)) ||
        spokenName.numbers.some((number) => moduleName.numbers.includes(number));
      if (!namesModuleItself || !(hasWords || namesSpecificDevice)) return false;

      const knownWords = [...moduleName.words, ...parcelName.words, ...cropWords];
      return (
        isSubset(spokenName.words, knownWords) &&
        numbersFit(spokenName.numbers, moduleName.numbers, parcelName.numbers) &&
        matchesDevices(spokenName, module, moduleName)
      );
    },
    isParcel(parcel) {
      const { name, [crops]: cropWords } = parcelOf(parcel.id);
      return (
        hasWords &&
        isSubset(spokenName.words, [...name.words, ...cropWords]) &&
        isSubsequence(spokenName.numbers, name.numbers)
      );
    },
  });

  return [
    byName(isWhole),
    numberLevel(spokenName, { nameOf, parcelOf }),
    byName(isPart),
    byNameAndParcel('cropWords'),
    byNameAndParcel('looseCropWords'),
  ];
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
 * True if the entity has the number N and is the Nth of the names that differ only in their number.
 * "North 2" is not the second if the others are "North 3" and "North 4".
 */
function isNthOfItsName(
  entity: NamedEntity,
  all: readonly NamedEntity[],
  { nameOf }: SpokenDirectory,
): boolean {
  const { words, places, devices, numbers } = nameOf(entity);
  if (numbers.length !== 1) return false;

  const isNumberedBefore = (each: NamedEntity): boolean => {
    const other = nameOf(each);
    return (
      areEqual(other.words, words) &&
      areEqual(other.places, places) &&
      areEqual(other.devices, devices) &&
      other.numbers.length === 1 &&
      Number(other.numbers[0]) < Number(numbers[0])
    );
  };

  return all.filter(isNumberedBefore).length + 1 === Number(numbers[0]);
}

/**
 * For "the second north probe", where the names are numbered from one. Empty without an ordinal.
 */
export function ordinalLevels(
  spokenName: SpokenName,
  spoken: SpokenDirectory,
  { modules, parcels }: Directory,
): Level[] {
  if (!spokenName.numbers.some((number) => number.endsWith('.'))) return [];
  const counted = ordinalsAsNumbers(spokenName);
  return [...wholeSpokenLevels(counted, spoken), ...looseLevels(counted, spoken)].map((level) => ({
    isModule: (module) => level.isModule(module) && isNthOfItsName(module, modules, spoken),
    isParcel: (parcel) => level.isParcel(parcel) && isNthOfItsName(parcel, parcels, spoken),
  }));
}
