import type { z } from 'zod/v3';
import { isIsoDate } from '../../domain/calendar.ts';
import { isPlaceZone, placesOfAbbreviation } from '../../domain/company/place-zones.ts';
import { IRRIGATION_SYSTEMS, type IrrigationSystem } from '../../domain/irrigation/dose.ts';
import { type EmitterSpacing, emittersPerM2OfSpacing } from '../../domain/irrigation/equipment.ts';
import { LANGS } from '../../domain/lang.ts';
import { foldText } from '../../domain/text.ts';
import { languageOf } from '../../language/index.ts';
import { parseDepths } from '../../language/words/depths.ts';
import { nearestWord } from '../../language/words/nearest-word.ts';
import {
  companyFields,
  moduleFields,
  parcelFields,
  userFields,
} from '../../schema/farm/farm-file.ts';
import { installationBody } from '../../schema/irrigation/installation.ts';
import { ShortTextPattern } from '../../schema/short-text-pattern.ts';

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

const NUMBER = new ShortTextPattern(/^(\d+(?:[.,]\d+)?)(?:\s*[a-z/²2 ]+)?$/i);
const SPACING = new ShortTextPattern(/^([\d.,]+)\s*m?\s*[x×*]\s*([\d.,]+)\s*m?$/i);

/** Accepts a decimal comma or point, with or without a unit. */
const parseNumber = (answer: string): number => {
  const digits = NUMBER.exec(answer)?.[1];
  return digits === undefined ? Number.NaN : Number(digits.replace(',', '.'));
};

const numberReader = <S extends z.ZodTypeAny>(field: S, expected: string) =>
  fieldReader(field, expected, parseNumber);

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

const EXPECTED_EMITTERS = 'emitters per m2 such as 2, or their spacing in m such as 0.5 x 1';

const readDensity = numberReader(installationBody.emittersPerM2, EXPECTED_EMITTERS);

/** Emitters per m2, or their spacing along and between the lines, such as "0.5 x 1 m". */
function readEmitters(answer: string): { emittersPerM2: number } & Partial<EmitterSpacing> {
  const [, along, between] = SPACING.exec(answer) ?? [];
  if (along === undefined || between === undefined) return { emittersPerM2: readDensity(answer) };

  const spacing = { emitterSpacingM: parseNumber(along), lineSpacingM: parseNumber(between) };
  return { emittersPerM2: readDensity(String(emittersPerM2OfSpacing(spacing))), ...spacing };
}

function readDepths(answer: string): number[] {
  const parsed = parseDepths(answer);
  if ('unknownWord' in parsed || parsed.depths.length === 0)
    throw new AnswerError('depths in cm such as 10, 30');
  return [...new Set(parsed.depths)].sort((a, b) => a - b);
}

export const SENSOR_TYPES = { moisture: 'humidity', tension: 'tensio' } as const;
type Measurement = keyof typeof SENSOR_TYPES;

/** Accepts the first letters. */
function readMeasurement(answer: string): Measurement {
  const folded = foldText(answer);
  const measurement = (['moisture', 'tension'] as const).find((each) => each.startsWith(folded));
  if (measurement === undefined) throw new AnswerError('moisture or tension');
  return measurement;
}

function readDate(answer: string): string {
  if (!isIsoDate(answer)) throw new AnswerError('a date such as 2026-03-01');
  return answer;
}

export const readAnswers = {
  companyName: fieldReader(companyFields.name, 'a name of at most 200 characters'),
  country: fieldReader(companyFields.countryCode, 'a country, such as France or FR', parseCountry),
  timeZone: readTimeZone,
  email: fieldReader(userFields.email, 'an e-mail address'),
  userName: fieldReader(userFields.name, 'a name of at most 200 characters'),
  parcelName: fieldReader(parcelFields.name, 'a name of at most 200 characters'),
  crop: fieldReader(parcelFields.type, 'at most 500 characters'),
  system: readSystem,
  emitterFlowLph: numberReader(
    installationBody.emitterFlowLph,
    'litres per hour of one emitter, such as 1.6',
  ),
  emitters: readEmitters,
  flowMmPerH: numberReader(installationBody.flowMmPerH, 'millimetres per hour, such as 4'),
  irrigatedAreaM2: fieldReader(
    installationBody.irrigatedAreaM2,
    'hectares, such as 1.5',
    (answer) => parseNumber(answer) * 10_000,
  ),
  probeName: fieldReader(moduleFields.name, 'a name of at most 200 characters'),
  uid: fieldReader(moduleFields.uid, 'at most 100 characters'),
  measurement: readMeasurement,
  depths: readDepths,
  date: readDate,
} satisfies Readonly<Record<string, ReadAnswer<unknown>>>;
