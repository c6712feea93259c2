import { filterInSlices, type TimeSlice, visitInSlices } from '../../domain/event-loop.ts';
import { foldText } from '../../domain/strings.ts';
import { isProbe, type NamedModule, type NamedParcel } from '../../language/summary-context.ts';
import {
  MAX_NAME_LENGTH,
  ordinalsAsNumbers,
  readSpokenName,
  type SpokenName,
} from '../../language/words/spoken-name.ts';
import type { Candidate, NameCandidates, NamedEntity } from './name-candidates.ts';

/**
 * - whole: the name itself, apart from case and accents, or in another language
 * - spoken: the same words, apart from spelled-out numbers, spaces, plurals and the language
 * - part: a part of the name as it is written
 * - loose: some of the words of the names of probe, parcel and crop
 * - ordinal: as the others, where the names are numbered from one: "the second north probe"
 */
type Rank = 'whole' | 'spoken' | 'part' | 'loose' | 'ordinal';

/** The entities that a text means equally well. */
export interface Match {
  readonly rank: Rank;
  readonly modules: readonly NamedModule[];
  readonly parcels: readonly NamedParcel[];
}

type Test<T extends NamedEntity = NamedEntity> = (candidate: Candidate<T>) => boolean;

/** Only the first test of a kind that some candidate passes counts. */
interface Tests {
  readonly modules: readonly Test<NamedModule>[];
  readonly parcels: readonly Test<NamedParcel>[];
}

interface Step extends Partial<Tests> {
  readonly rank: Rank;
}

/** From strict to loose. What is looser counts only if nothing stricter leads to an answer. */
export async function* matches(text: string, candidates: NameCandidates): AsyncGenerator<Match> {
  const tests = wholeNameTests(text);
  yield* matchesOfSteps(
    [
      { rank: 'whole', modules: tests },
      { rank: 'whole', parcels: tests },
    ],
    candidates,
  );

  const spokenName = readSpokenName(text);
  const parcelsById = await candidates.parcelsById();
  const parcelOf = ({ parcelId }: NamedModule) =>
    parcelId === null ? undefined : parcelsById.get(parcelId);

  yield* matchesOfSteps(
    [
      // A whole name of a module wins over that of a parcel; what is looser counts equally.
      ...spokenTestsFor(spokenName).flatMap(({ modules, parcels }): Step[] => [
        { rank: 'spoken', modules },
        { rank: 'spoken', parcels },
      ]),
      { rank: 'part', modules: partOfNameTests(text), parcels: partOfNameTests(text) },
      ...looseTestsFor(spokenName, parcelOf).map((tests): Step => ({ rank: 'loose', ...tests })),
    ],
    candidates,
  );

  if (!spokenName.numbers.some((number) => number.endsWith('.'))) return;
  const counted = ordinalsAsNumbers(spokenName);
  const isNthModule = await nthOfNameTest(await candidates.modules(), candidates.slice);
  const isNthParcel = await nthOfNameTest(await candidates.parcels(), candidates.slice);
  const testsOfName = [...spokenTestsFor(counted), ...looseTestsFor(counted, parcelOf)];
  yield* matchesOfSteps(
    testsOfName.map(({ modules, parcels }) => ({
      rank: 'ordinal',
      modules: modules.map((test) => (module) => test(module) && isNthModule(module)),
      parcels: parcels.map((test) => (parcel) => test(parcel) && isNthParcel(parcel)),
    })),
    candidates,
  );
}

async function* matchesOfSteps(
  steps: readonly Step[],
  candidates: NameCandidates,
): AsyncGenerator<Match> {
  const { slice } = candidates;
  for (const { rank, modules: moduleTests = [], parcels: parcelTests = [] } of steps) {
    const modules =
      moduleTests.length === 0
        ? []
        : await firstMatches(moduleTests, await candidates.modules(), slice);
    const parcels =
      parcelTests.length === 0
        ? []
        : await firstMatches(parcelTests, await candidates.parcels(), slice);
    if (modules.length + parcels.length > 0) yield { rank, modules, parcels };
  }
}

/** The candidates that pass the first test that some pass. */
async function firstMatches<T extends NamedEntity>(
  tests: readonly Test<T>[],
  candidates: readonly Candidate<T>[],
  slice: TimeSlice,
): Promise<T[]> {
  for (const test of tests) {
    const found = await filterInSlices(candidates, test, slice);
    if (found.length > 0) return found.map(({ entity }) => entity);
  }
  return [];
}

export const wholeNameMatches = <T extends NamedEntity>(
  text: string,
  candidates: readonly Candidate<T>[],
  slice: TimeSlice,
): Promise<T[]> => firstMatches(wholeNameTests(text), candidates, slice);

/** Names that differ only in case stay ambiguous. */
function wholeNameTests(text: string): Test[] {
  if (text.length > MAX_NAME_LENGTH) return [];
  const trimmed = text.trim();
  const folded = foldText(text);
  return [
    ({ entity }) => entity.name === trimmed,
    (candidate) => candidate.folded === folded,
    (candidate) => candidate.foldedOtherNames.includes(folded),
  ];
}

/** Nothing for fewer than three characters, or digits alone. */
function partOfNameTests(text: string): Test[] {
  const folded = text.length > MAX_NAME_LENGTH ? '' : foldText(text);
  if (folded.length < 3 || /^\d+$/.test(folded)) return [];
  return [
    (candidate) => isPartOf(folded, candidate.folded ?? ''),
    (candidate) => candidate.foldedOtherNames.some((name) => isPartOf(folded, name)),
  ];
}

const isDigit = (character: string | undefined): boolean => /\d/.test(character ?? '');

/** False if the part would cut a number: "North 1" is not a part of "North 10". */
function isPartOf(part: string, name: string): boolean {
  for (let start = name.indexOf(part); start !== -1; start = name.indexOf(part, start + 1)) {
    const end = start + part.length;
    const cutsNumber =
      (isDigit(part[0]) && isDigit(name[start - 1])) ||
      (isDigit(part.at(-1)) && isDigit(name[end]));
    if (!cutsNumber) return true;
  }
  return false;
}

const areEqual = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((word, index) => word === others[index]);

const isSubset = (some: readonly string[], others: readonly string[]): boolean =>
  some.every((word) => others.includes(word));

/** True if `others` contains `some` in the same order, with any others between them. */
function isSubsequence(some: readonly string[], others: readonly string[]): boolean {
  let found = 0;
  for (const other of others) if (other === some[found]) found++;
  return found === some.length;
}

/**
 * True if the module is of every kind of device in the text: "the north tensiometer" is not a soil
 * probe.
 */
export const matchesDevices = (
  { devices }: SpokenName,
  module: NamedModule,
  moduleName: SpokenName | null,
): boolean =>
  devices.every(
    (device) =>
      device === 'module' ||
      moduleName?.devices.includes(device) ||
      (device === 'probe' && (isProbe(module) || module.category === null)) ||
      (device === 'tensiometer' && module.category === 'TENSIOMETER') ||
      (device === 'station' && module.category === 'WEATHER_STATION'),
  );

function spokenTestsFor(spokenName: SpokenName): Tests[] {
  const { compact, words, places, devices, numbers } = spokenName;
  const hasText = compact !== '';
  /** More than devices and numbers. */
  const hasName = words.length + places.length > 0;

  const isCompact: Test = ({ spoken }) => hasText && spoken.compact === compact;
  const isSame: Test = ({ spoken }) =>
    hasText &&
    areEqual(words, spoken.words) &&
    areEqual(places, spoken.places) &&
    areEqual(numbers, spoken.numbers);

  return [
    { modules: [isCompact], parcels: [isCompact] },
    {
      modules: [(module) => isSame(module) && areEqual(devices, module.spoken.devices)],
      parcels: [(parcel) => isSame(parcel) && hasName],
    },
  ];
}

type ParcelOf = (module: NamedModule) => Candidate<NamedParcel> | undefined;

/**
 * The same words apart from kinds of place ("block") and of device ("probe"); words of a longer
 * name; words of the names of probe, parcel and crop together.
 */
function looseTestsFor(spokenName: SpokenName, parcelOf: ParcelOf): Tests[] {
  const { words, numbers } = spokenName;
  const hasWords = words.length > 0;
  const isSubstantial = words.join('').length >= 3;

  const isWhole = (name: SpokenName): boolean =>
    hasWords && areEqual(words, name.words) && areEqual(numbers, name.numbers);
  const isPart = (name: SpokenName): boolean =>
    isSubstantial && isSubset(words, name.words) && isSubsequence(numbers, name.numbers);

  return [
    nameTests(spokenName, isWhole),
    numberTests(spokenName, parcelOf),
    nameTests(spokenName, isPart),
    nameAndParcelTests(spokenName, parcelOf, 'cropWords'),
    nameAndParcelTests(spokenName, parcelOf, 'looseCropWords'),
  ];
}

const nameTests = (spokenName: SpokenName, isMeant: (name: SpokenName) => boolean): Tests => ({
  modules: [({ entity, spoken }) => isMeant(spoken) && matchesDevices(spokenName, entity, spoken)],
  parcels: [({ spoken }) => isMeant(spoken)],
});

/** "Probe no 2", "sonde n 2". */
const NUMBER_SIGNS: readonly string[] = ['no', 'n', 'nr', 'num'];

const isCalledByNumber = ({ words, numbers }: SpokenName): boolean =>
  words.length === 0 && numbers.length > 0;

/**
 * Matches entities called by a number, with another kind of place or device, or with none: "probe
 * 2" for "2", "field 2" for "Block 2", "probe 2 of block 1".
 */
function numberTests(spokenName: SpokenName, parcelOf: ParcelOf): Tests {
  const { words, places, devices, numbers } = spokenName;
  const isNumber = words.every((word) => NUMBER_SIGNS.includes(word)) && numbers.length > 0;

  const isModule: Test<NamedModule> = ({ entity, spoken }) => {
    if (!isNumber || !isCalledByNumber(spoken) || !matchesDevices(spokenName, entity, spoken))
      return false;
    if (areEqual(numbers, spoken.numbers))
      return places.length === 0 || areEqual(places, spoken.places);

    const parcel = parcelOf(entity)?.spoken;
    return (
      parcel !== undefined &&
      devices.length > 0 &&
      isCalledByNumber(parcel) &&
      (areEqual(numbers, [...parcel.numbers, ...spoken.numbers]) ||
        areEqual(numbers, [...spoken.numbers, ...parcel.numbers]))
    );
  };

  return {
    modules: [isModule],
    parcels: [
      ({ spoken }) =>
        isNumber &&
        devices.length === 0 &&
        isCalledByNumber(spoken) &&
        areEqual(numbers, spoken.numbers),
    ],
  };
}

function nameAndParcelTests(
  spokenName: SpokenName,
  parcelOf: ParcelOf,
  crops: 'cropWords' | 'looseCropWords',
): Tests {
  const { words, devices, numbers } = spokenName;
  const hasWords = words.length > 0;
  const namesSpecificDevice = devices.some(
    (device) => device === 'tensiometer' || device === 'station',
  );

  const isModule: Test<NamedModule> = ({ entity, spoken }) => {
    const namesModuleItself =
      namesSpecificDevice ||
      words.some((word) => spoken.words.includes(word)) ||
      numbers.some((number) => spoken.numbers.includes(number));
    if (!namesModuleItself || !(hasWords || namesSpecificDevice)) return false;

    const parcel = parcelOf(entity);
    const knownWords =
      parcel === undefined
        ? spoken.words
        : [...spoken.words, ...parcel.spoken.words, ...parcel[crops]];
    return (
      isSubset(words, knownWords) &&
      numbersFit(numbers, spoken.numbers, parcel?.spoken.numbers ?? []) &&
      matchesDevices(spokenName, entity, spoken)
    );
  };

  return {
    modules: [isModule],
    parcels: [
      (parcel) =>
        hasWords &&
        isSubset(words, [...parcel.spoken.words, ...parcel[crops]]) &&
        isSubsequence(numbers, parcel.spoken.numbers),
    ],
  };
}

/**
 * For a module with a number, that of its parcel alone is not enough: "North 2" is not its probe 1.
 */
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

/**
 * True if the candidate has the number N and is the Nth of the names that differ only in their
 * number. "North 2" is not the second if the others are "North 3" and "North 4".
 */
async function nthOfNameTest(candidates: readonly Candidate[], slice: TimeSlice): Promise<Test> {
  const numbersOf = new Map<string, number[]>();
  const nameWithoutNumber = ({ words, places, devices }: SpokenName): string =>
    JSON.stringify([words, places, devices]);

  await visitInSlices(
    candidates,
    ({ spoken }) => {
      if (spoken.numbers.length !== 1) return;
      const name = nameWithoutNumber(spoken);
      const numbers = numbersOf.get(name) ?? [];
      numbers.push(Number(spoken.numbers[0]));
      numbersOf.set(name, numbers);
    },
    slice,
  );

  return ({ spoken }) => {
    if (spoken.numbers.length !== 1) return false;
    const number = Number(spoken.numbers[0]);
    const numbers = numbersOf.get(nameWithoutNumber(spoken)) ?? [];
    return numbers.filter((other) => other < number).length + 1 === number;
  };
}
