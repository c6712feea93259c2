import type { z } from 'zod/v3';
import { formatIsoDate } from '../../domain/calendar.ts';
import { isPlaceZone, placesOfAbbreviation } from '../../domain/company/place-zones.ts';
import { IRRIGATION_SYSTEMS, type IrrigationSystem } from '../../domain/irrigation/dose.ts';
import { LANGS } from '../../domain/lang.ts';
import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';
import { foldText } from '../../domain/text.ts';
import { civilAt } from '../../domain/time-zone.ts';
import { languageOf } from '../../language/index.ts';
import { parseDepths } from '../../language/words/depths.ts';
import { findTextures } from '../../language/words/farming-terms.ts';
import { parseStart } from '../../language/words/instant.ts';
import { nearestWord } from '../../language/words/nearest-word.ts';
import {
  companyFields,
  moduleFields,
  parcelFields,
  userFields,
} from '../../schema/farm/farm-file.ts';
import { parseMeasurementType } from '../../service/ingest/csv/column-names.ts';

/** The message completes "Please give …". */
export class AnswerError extends Error {}

/** Reads an answer that is not empty. */
export type ReadAnswer<T> = (answer: string) => T;

const fieldReader =
  <S extends z.ZodTypeAny>(
    field: S,
    expected: string,
    parse: (answer: string) => unknown = (answer) => answer,
  ) =>
  (answer: string): NonNullable<z.output<S>> => {
    const { data } = field.safeParse(parse(answer));
    if (data == null) throw new AnswerError(expected);
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
  if (places.length > 0) throw new AnswerError(`the zone of a place: ${places.join(' or ')}`);
  throw new AnswerError(`a time zone such as ${nearestWord(answer, zones) ?? 'Europe/Paris'}`);
}

/** Accepts the code, or the name in any supported language. */
function readSystem(answer: string): IrrigationSystem {
  const normalize = (name: string): string => foldText(name).replace(/[ -]/g, '_');
  const system = IRRIGATION_SYSTEMS.find((code) => {
    const labels = LANGS.map((lang) => languageOf(lang).enumLabels.irrigation_systems[code]);
    return [code, ...labels].some((name) => normalize(name) === normalize(answer));
  });
  if (system === undefined) throw new AnswerError(`one of ${IRRIGATION_SYSTEMS.join(', ')}`);
  return system;
}

function readDepths(answer: string): number[] {
  const parsed = parseDepths(answer);
  if ('unknownWord' in parsed || parsed.depths.length === 0)
    throw new AnswerError('depths in cm such as 10, 30');
  return [...new Set(parsed.depths)].sort((a, b) => a - b);
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
  if (measurement === undefined) throw new AnswerError('moisture or tension');
  return measurement;
}

/** The name of a texture class, in any language. */
function readTexture(answer: string): UsdaClass {
  const found = findTextures(answer);
  const [texture] = found;
  if (texture !== undefined && found.length === 1 && texture.isExact)
    return texture.horizon.usdaClass;
  const names = found.map(({ name }) => name).join(', ');
  throw new AnswerError(names === '' ? 'a texture such as loam or sandy loam' : `one of ${names}`);
}

/** A day, month or year, as the tools take it. */
export const dateReader =
  (zone: string, now: number): ReadAnswer<string> =>
  (answer) => {
    const parsed = parseStart(answer, zone, now);
    if ('error' in parsed || parsed.at === 0)
      throw new AnswerError('a date such as 2026-03-01, March 2025 or 2024');
    if (parsed.at > now) throw new AnswerError('a date that is not in the future');
    return formatIsoDate(civilAt(parsed.at, zone));
  };

export const readAnswers = {
  companyName: fieldReader(companyFields.name, 'a name of at most 200 characters'),
  country: fieldReader(companyFields.countryCode, 'a country, such as France or FR', parseCountry),
  timeZone: readTimeZone,
  email: fieldReader(userFields.email, 'an e-mail address'),
  userName: fieldReader(userFields.name, 'a name of at most 200 characters'),
  parcelName: fieldReader(parcelFields.name, 'a name of at most 200 characters'),
  crop: fieldReader(parcelFields.type, 'at most 500 characters'),
  system: readSystem,
  texture: readTexture,
  probeName: fieldReader(moduleFields.name, 'a name of at most 200 characters'),
  uid: fieldReader(moduleFields.uid, 'at most 100 characters'),
  measurement: readMeasurement,
  depths: readDepths,
} satisfies Readonly<Record<string, ReadAnswer<unknown>>>;
