import type { z } from 'zod/v3';
import { isPlaceZone, placesOfAbbreviation } from '../../domain/company/place-zones.ts';
import { IRRIGATION_SYSTEMS, type IrrigationSystem } from '../../domain/irrigation/dose.ts';
import { DEFAULT_LANG, LANGS, type Lang } from '../../domain/lang.ts';
import { LocalDay } from '../../domain/local-day.ts';
import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';
import { foldText } from '../../domain/strings.ts';
import { type Language, languageOf } from '../../language/index.ts';
import { parseDepths } from '../../language/words/depths.ts';
import { findTextures } from '../../language/words/farming-terms.ts';
import { parseStart } from '../../language/words/instant.ts';
import { nearestWord } from '../../language/words/nearest-word.ts';
import {
  companyInFile,
  moduleInFile,
  parcelInFile,
  userInFile,
} from '../../schema/farm/farm-file.ts';
import { parseMeasurementType } from '../../service/ingest/csv/column-names.ts';

export type Interview = ReturnType<typeof languageOf>['interview'];
type ExpectedAnswer = keyof Interview['expected'];

/** Says what is expected. The reason is in English. */
export class AnswerError extends Error {
  readonly #expected: ExpectedAnswer;
  readonly #detail: Detail;

  constructor(expected: ExpectedAnswer, detail: Detail = '', reason?: string) {
    const text = sentenceIn(DEFAULT_LANG, expected, detail);
    super(reason === undefined ? text : `${text.replace(/[.]$/, '')}: ${reason}.`);
    this.#expected = expected;
    this.#detail = detail;
  }

  sentence(lang: Lang): string {
    return lang === DEFAULT_LANG ? this.message : sentenceIn(lang, this.#expected, this.#detail);
  }
}

type Detail = string | ((language: Language) => string);

function sentenceIn(lang: Lang, expected: ExpectedAnswer, detail: Detail): string {
  const language = languageOf(lang);
  const text = typeof detail === 'string' ? detail : detail(language);
  return language.interview.expected[expected](text);
}

/** Reads an answer that is not empty. */
export type ReadAnswer<T> = (answer: string) => T;

interface FieldReading {
  readonly parse?: (answer: string) => unknown;
  readonly detail?: string;
}

const fieldReader =
  <S extends z.ZodTypeAny>(
    field: S,
    expected: ExpectedAnswer,
    { parse = (answer: string): unknown => answer, detail = '' }: FieldReading = {},
  ) =>
  (answer: string): NonNullable<z.output<S>> => {
    const { data } = field.safeParse(parse(answer));
    if (data == null) throw new AnswerError(expected, detail);
    return data;
  };

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const COUNTRY_CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** Accepts the name in any supported language, or the code. */
function parseCountry(answer: string): string {
  const regionNames = LANGS.map(
    (lang) => new Intl.DisplayNames(lang, { type: 'region', fallback: 'none' }),
  );
  const isName = (code: string): boolean =>
    regionNames.some((names) => foldText(names.of(code) ?? '') === foldText(answer));
  return COUNTRY_CODES.find(isName) ?? answer.toUpperCase();
}

/** Accepts the whole name of a zone, or the city alone. */
function readTimeZone(answer: string): string {
  const folded = foldText(answer).replaceAll(' ', '_');
  const zones = Intl.supportedValuesOf('timeZone').filter(isPlaceZone);
  const zone = zones.find(
    (each) => foldText(each) === folded || foldText(each).endsWith(`/${folded}`),
  );
  if (zone !== undefined) return zone;
  if (isPlaceZone(answer)) return answer;

  const places = placesOfAbbreviation(answer);
  if (places.length > 0) throw new AnswerError('zoneOfPlace', places.join(', '));
  throw new AnswerError('zone', nearestWord(answer, zones) ?? 'Europe/Paris');
}

const withoutBrackets = (label: string): string => label.replace(/ [(].*/, '');

/** Accepts the code, or the name in any supported language. */
function readSystem(answer: string): IrrigationSystem {
  const normalize = (name: string): string => foldText(withoutBrackets(name)).replace(/[ _-]/g, '');
  const system = IRRIGATION_SYSTEMS.find((code) => {
    const labels = LANGS.map((lang) => languageOf(lang).enumLabels.irrigation_systems[code]);
    return [code, ...labels].some((name) => normalize(name) === normalize(answer));
  });
  if (system !== undefined) return system;
  throw new AnswerError('oneOf', ({ enumLabels }) =>
    IRRIGATION_SYSTEMS.map((code) => withoutBrackets(enumLabels.irrigation_systems[code])).join(
      ', ',
    ),
  );
}

function readDepths(answer: string): number[] {
  const parsed = parseDepths(answer);
  if (!parsed.ok || parsed.value.length === 0) throw new AnswerError('depths');
  return [...new Set(parsed.value)].sort((a, b) => a - b);
}

export const SENSOR_TYPES = { moisture: 'humidity', tension: 'tensio' } as const;
type Measurement = keyof typeof SENSOR_TYPES;

/** Accepts the first letters, or a word of a file in any language. */
function readMeasurement(answer: string): Measurement {
  const folded = foldText(answer);
  const type = parseMeasurementType(answer);
  const measurement = (['moisture', 'tension'] as const).find(
    (each) => each.startsWith(folded) || SENSOR_TYPES[each] === type,
  );
  if (measurement === undefined) throw new AnswerError('measurement');
  return measurement;
}

/** The name of a texture class, in any language. */
function readTexture(answer: string): UsdaClass {
  const found = findTextures(answer);
  const [texture] = found;
  if (texture !== undefined && found.length === 1 && texture.isExact)
    return texture.horizon.usdaClass;
  if (found.length === 0) throw new AnswerError('texture');
  throw new AnswerError('oneOf', ({ labels }) =>
    found.map(({ horizon }) => labels.texture(horizon.usdaClass)).join(', '),
  );
}

/** A day, month or year, as the tools take it. */
export const dateReader =
  (zone: string, now: number): ReadAnswer<string> =>
  (answer) => {
    const parsed = parseStart(answer, zone, now, 'past');
    if (!parsed.ok || parsed.value.at === 0) throw new AnswerError('date');
    if (parsed.value.at > now) throw new AnswerError('pastDate');
    return LocalDay.at(parsed.value.at, zone).iso;
  };

export const readAnswers = {
  companyName: fieldReader(companyInFile.name, 'shortName'),
  country: fieldReader(companyInFile.countryCode, 'country', { parse: parseCountry }),
  timeZone: readTimeZone,
  email: fieldReader(userInFile.email, 'email'),
  userName: fieldReader(userInFile.name, 'shortName'),
  parcelName: fieldReader(parcelInFile.name, 'shortName'),
  crop: fieldReader(parcelInFile.type, 'text', { detail: '500' }),
  system: readSystem,
  texture: readTexture,
  probeName: fieldReader(moduleInFile.name, 'shortName'),
  uid: fieldReader(moduleInFile.uid, 'text', { detail: '100' }),
  measurement: readMeasurement,
  depths: readDepths,
} satisfies Readonly<Record<string, ReadAnswer<unknown>>>;
