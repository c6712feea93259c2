import { redactSecrets } from '../../../src/cli/process/log.ts';
import { parsePayloadPath, splitListPath } from '../../../src/domain/ingest/payload-path.ts';
import { normalizeDeviceId, toIsoText } from '../../../src/domain/ingest/payload-values.ts';
import { readFigure } from '../../../src/domain/ingest/written-figures.ts';
import { parseIsoInstant, parseIsoStart } from '../../../src/domain/iso-date-time.ts';
import { entryOf } from '../../../src/domain/items.ts';
import { foldText, nameInSentence, quote, visibleText } from '../../../src/domain/strings.ts';
import { parseDayOfYear } from '../../../src/language/moisture/day-of-year.ts';
import type { NameDirectory } from '../../../src/language/summary-context.ts';
import { parseAmount, parseFigure } from '../../../src/language/words/amounts/amount.ts';
import { parseDate } from '../../../src/language/words/date.ts';
import { parseDepths } from '../../../src/language/words/depths.ts';
import { coverOf, cropIn, findTextures } from '../../../src/language/words/farming-terms.ts';
import {
  isHourAlone,
  parseEndInstant,
  parseInstant,
  parseStart,
} from '../../../src/language/words/instant.ts';
import { nearestWord, similarNameTest } from '../../../src/language/words/nearest-word.ts';
import { normalizeWords } from '../../../src/language/words/number.ts';
import { parsePastPeriod } from '../../../src/language/words/past-period.ts';
import { readSpokenName } from '../../../src/language/words/spoken-name.ts';
import { saysYes } from '../../../src/language/words/yes.ts';
import { namesMeantBy } from '../../../src/operation/arguments/name-resolution.ts';
import { toolFields } from '../../../src/operation/arguments/tool-fields.ts';
import { newReading } from '../../../src/operation/arguments/tool-reading.ts';
import type { AnyOperation } from '../../../src/operation/operation.ts';
import { parseProblem } from '../../../src/remote/service/remote-errors.ts';
import { outlineTexts } from '../../../src/schema/farm/outline-entry.ts';
import { parseCalibrationPoint } from '../../../src/schema/moisture/calibration.ts';
import { isNoValue, splitUnit } from '../../../src/service/ingest/csv/cell-values.ts';
import { parseColumnMap } from '../../../src/service/ingest/csv/column-map.ts';
import { columnMeaning, nearestColumn } from '../../../src/service/ingest/csv/column-names.ts';
import { unitOf } from '../../../src/service/ingest/csv/column-units.ts';
import { findHeader } from '../../../src/service/ingest/csv/csv-header.ts';
import { csvCells, csvLines } from '../../../src/service/ingest/csv/text/csv-lines.ts';
import { RecordJoiner, recordAt } from '../../../src/service/ingest/csv/text/csv-records.ts';
import { withMonthNumber } from '../../../src/service/ingest/csv/text/month-names.ts';
import { parseFields } from '../../../src/service/ingest/devices/fields/field-grammar.ts';
import { fieldsAt } from '../../../src/service/ingest/payload/field-patterns.ts';
import { matchTopic, parsePayloadMap } from '../../../src/service/ingest/payload/payload-map.ts';
import { splitFigure } from '../../../src/service/ingest/payload/payload-units.ts';
import { ReadingTimeParser } from '../../../src/service/ingest/reading-times.ts';
import { measurementRange, parseDecimal } from '../../../src/service/ingest/reading-values.ts';
import {
  dateOrderOf,
  parseSpreadsheetTime,
} from '../../../src/service/ingest/spreadsheet-times.ts';
import { findWeatherHeader } from '../../../src/service/ingest/weather/weather-columns.ts';
import { parseJsonFile } from '../../../src/service/json-file-problems.ts';
import setProbeSettings from '../../../tools/moisture/set-probe-settings.ts';
import setSoilProfile from '../../../tools/soil/set-soil-profile.ts';

const ZONE = 'Europe/Paris';
const NOW = Date.UTC(2026, 6, 1, 10);
const CONTEXT = { zone: 'Europe/Paris', now: NOW, countryCode: 'FR', units: 'metric' } as const;
const HUMIDITY = measurementRange('humidity');
const NORTH = { uid: 'A1', category: 'SOIL_PROBE', parcelId: null };
const FARM: NameDirectory = {
  modules: async () => [{ ...NORTH, id: 1, name: 'North 1', otherNames: ['Nord 1'] }],
  parcels: async () => [],
};

const REMOTE = { operation: null, origin: '', key: 'key', idempotencyKey: null };

const partsWith = (text: string): unknown => ({
  parts: [text, { kind: 'name', text }, { kind: 'argument', path: text }, { kind: text }],
});

/** Reads a value of the argument as a tool does. */
function argument(operation: AnyOperation, name: string, valueWith: (text: string) => unknown) {
  const { byName, byArgument } = toolFields(operation);
  const field = entryOf(byArgument, name);
  return (text: string): unknown => field.read(valueWith(text), newReading(byName, {}, CONTEXT));
}

/** Everything that reads text from outside, by what it reads. */
export const READERS: Readonly<
  Record<string, Readonly<Record<string, (text: string) => unknown>>>
> = {
  quantities: {
    parseAmount: (text) => parseAmount(text, 'cm'),
    parseFigure: (text) => parseFigure(text, { isPercent: true }),
    depthWeights: argument(setProbeSettings, 'depthWeights', (text) => [text]),
    calibration: argument(setProbeSettings, 'calibration', (text) => [text]),
    parseCalibrationPoint,
    outline: (text) => outlineTexts().safeParse([text]),
    parseDepths,
    parseDecimal,
  },
  times: {
    parseInstant: (text) => parseInstant(text, ZONE, NOW),
    parseStart: (text) => parseStart(text, ZONE, NOW, 'past'),
    parseEndInstant: (text) => parseEndInstant(text, ZONE, NOW, NOW),
    isHourAlone,
    parseDate: (text) => parseDate(text, ZONE, NOW, { tense: null, dayOfMonth: 'last' }),
    parsePastPeriod: (text) => parsePastPeriod(text, ZONE, NOW),
    parseIsoInstant: (text) => parseIsoInstant(text, ZONE),
    parseIsoStart: (text) => parseIsoStart(text, ZONE),
    parseDayOfYear,
    parseSpreadsheetTime: (text) => parseSpreadsheetTime(text, 'dmy'),
    dateOrderOf: (text) => dateOrderOf([text]),
    toIsoText: (text) => toIsoText(text, 'Z'),
  },
  names: {
    readSpokenName,
    similarNameTest: (text) => similarNameTest(text)(`${text}x`),
    nearestWord: (text) => nearestWord(text, ['calibration', 'depthWeights']),
    namesMeantBy: (text) => namesMeantBy(text, FARM),
    texture: argument(setSoilProfile, 'layers', (text) => [{ soilHorizonId: text }]),
    findTextures,
    cropIn,
    coverOf: (text) => coverOf({ name: text, type: text }),
    normalizeWords,
    saysYes,
  },
  files: {
    'findHeader of one line': (text) => findHeader([text], new Map(), undefined),
    'findHeader of ten lines': (text) =>
      findHeader(
        Array.from({ length: 10 }, () => text),
        new Map(),
        undefined,
      ),
    csvCells: (text) => csvCells(text, ','),
    recordJoiner(text) {
      // No lines and no records are kept: to collect tens of thousands costs more than to read them.
      const joiner = new RecordJoiner(',', 3, () => undefined);
      let line = 0;
      for (let start = 0; start < text.length; line++) {
        const quote = text.indexOf('"', start);
        const end = quote < 0 ? text.length : quote + 1;
        joiner.add(text.slice(start, end), line);
        start = end;
      }
      joiner.end();
    },
    recordAt: (text) => recordAt(text.split(','), 0, ';'),
    csvLines: async (text) => {
      for await (const _ of csvLines([text]));
    },
    readFigure,
    isNoValue,
    withMonthNumber,
    'times of rows': (text) => new ReadingTimeParser({ zone: ZONE, now: NOW }).parse(text),
    splitUnit: (text) => splitUnit(text, HUMIDITY),
    columnMeaning,
    nearestColumn: (text) => nearestColumn(text, ['humidity_10', 'tensio_30']),
    unitOf,
    parseColumnMap: (text) => parseColumnMap(text, 'map'),
    findWeatherHeader: (text) => findWeatherHeader([text]),
    parseJsonFile: (text) => parseJsonFile(text, 'map'),
  },
  payloads: {
    parsePayloadPath,
    splitListPath,
    normalizeDeviceId,
    parseFields: (text) => parseFields([text]),
    'fieldsAt a pattern': (text) => fieldsAt(`${text}{depth}`, [{}], {}),
    'fieldsAt a name': (text) => fieldsAt('moisture_{depth}', [{ [text]: 1 }], {}),
    matchTopic: (text) => matchTopic('farm/{device}_moisture_{channel}/#', `farm/${text}`),
    'matchTopic of a pattern': (text) => matchTopic(text, 'farm/north/soil'),
    parsePayloadMap: (text) =>
      parsePayloadMap(JSON.stringify({ readings: [{ topic: text, values: [], time: 'arrival' }] })),
    splitFigure: (text) => splitFigure('humidity', text),
  },
  answers: {
    visibleText,
    foldText,
    quote,
    nameInSentence,
    'parseProblem of another service': (text) => parseProblem(text, REMOTE),
    'parseProblem of texts of parts': (text) =>
      parseProblem(JSON.stringify({ detail: text, texts: { message: partsWith(text) } }), REMOTE),
    redactSecrets,
  },
};
