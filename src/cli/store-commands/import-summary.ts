import { formatIsoDate, padTwo } from '../../domain/calendar.ts';
import { CSV_PROFILES } from '../../domain/ingest/import-options.ts';
import type { Lang } from '../../domain/lang.ts';
import { CURVES } from '../../domain/moisture/measurement.ts';
import { quote } from '../../domain/strings.ts';
import { civilAt, zoneLabel } from '../../domain/time-zone.ts';
import { describeZoneChange } from '../../language/company/zone-summary.ts';
import type { Language } from '../../language/en/index.ts';
import { languageOf } from '../../language/index.ts';
import {
  describeColumnMeaning,
  describeRejections,
  describeSkip,
  reasonText,
} from '../../language/ingest/import-report.ts';
import { renderForAll } from '../../language/text/render.ts';
import type { FarmImportReport } from '../../service/farm/farm-rows.ts';
import type { FirstReading } from '../../service/ingest/first-readings.ts';
import type { ReadingsReport } from '../../service/ingest/readings-import.ts';
import type { WeatherImport } from '../../service/ingest/weather/weather-import.ts';
import { terminalText } from '../terminal-text.ts';
import { continuationCommand, displayName, type ImportOptions } from './import-usage.ts';

const KINDS = [
  'users',
  'waterSources',
  'parcels',
  'gateways',
  'modules',
  'sensors',
  'soilLayers',
  'installations',
] as const;

export function formatFarmReport(file: string, report: FarmImportReport, lang: Lang): string {
  const { company, moduleResults, completedDoses, zoneChange } = report;
  const { farmReport: words } = languageOf(lang);
  const formatOutcomes = (what: string, counts: Readonly<Partial<Record<FarmOutcome, number>>>) => {
    const known = FARM_OUTCOMES.map((outcome) => [outcome, counts[outcome] ?? 0] as const);
    const parts = known.filter(([, count]) => count > 0);
    const texts = parts.map(([outcome, count]) => words.count(count, outcome));
    return texts.length === 0 ? [] : [`  ${words.counts(what, texts)}`];
  };
  const formatKind = (kind: (typeof KINDS)[number]) => {
    const { created, changed, unchanged } = report[kind];
    return formatOutcomes(words.kinds[kind](created + changed + unchanged), report[kind]);
  };

  const lines = [
    words.company(file, `${quote(company.name)} (#${company.id})`, company.outcome),
    ...KINDS.flatMap(formatKind),
    ...formatModules(moduleResults, words),
  ];
  if (completedDoses > 0) lines.push(`  ${words.completedDoses(completedDoses)}`);
  lines.push(...formatOutcomes(words.plans, report.plans));
  for (const advisory of zoneChange)
    lines.push(`  ${terminalText(renderForAll(describeZoneChange(advisory, lang), lang).summary)}`);
  return `${lines.join('\n')}\n`;
}

const FARM_OUTCOMES = ['created', 'added', 'changed', 'removed', 'unchanged'] as const;
type FarmOutcome = (typeof FARM_OUTCOMES)[number];

const MAX_LISTED_LINES = 10;

export function formatWeatherReport(
  file: string,
  { days, rain, weather, otherRain, rejected }: WeatherImport,
  lang: Lang,
): string {
  const { weatherFile: words } = languageOf(lang);
  const { replacedDays, preferredDays } = otherRain;
  const lines = [
    words.read(file, days, rejected.length),
    ...formatCounts(words.rain, inWords(rain, words.outcomes)),
    ...formatCounts(words.weather, inWords(weather, words.outcomes)),
  ];
  if (replacedDays > 0) lines.push(`  ${words.replaced(replacedDays)}`);
  if (preferredDays > 0) lines.push(`  ${words.preferred(preferredDays)}`);

  for (const { line, reason } of rejected.slice(0, MAX_LISTED_LINES))
    lines.push(`  ${words.line(line, reason)}`);
  if (rejected.length > MAX_LISTED_LINES)
    lines.push(`  ${words.more(rejected.length - MAX_LISTED_LINES)}`);

  return `${lines.join('\n')}\n`;
}

type DayCounts = WeatherImport['rain'];

const inWords = (
  { added, changed, unchanged }: DayCounts,
  words: Readonly<Record<keyof DayCounts, string>>,
): Record<string, number> => ({
  [words.added]: added,
  [words.changed]: changed,
  [words.unchanged]: unchanged,
});

const MAX_LISTED_MODULES = 10;
/** A station has up to a hundred columns about the weather. */
const MAX_OTHER_MEASUREMENTS = 6;

function formatModules(
  modules: FarmImportReport['moduleResults'],
  words: Language['farmReport'],
): string[] {
  const lines = modules
    .slice(0, MAX_LISTED_MODULES)
    .map(
      ({ id, uid, name, outcome }) =>
        `  ${words.module(`#${id} ${quote(name ?? uid)} (${quote(uid)})`, outcome)}`,
    );

  const omitted = modules.length - MAX_LISTED_MODULES;
  if (omitted > 0) lines.push(`  ${words.moreModules(omitted)}`);
  return lines;
}

/** "  3 days of rain: 2 added, 1 changed". Nothing if all counts are 0. */
function formatCounts(what: string, counts: Readonly<Record<string, number>>): string[] {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  if (parts.length === 0) return [];
  return [
    `  ${what}: ${parts.map(([outcome, count]) => `${count.toLocaleString('en-US')} ${outcome}`).join(', ')}`,
  ];
}

export const formatFirstRejects = ({ firstRejects }: ReadingsReport, lang: Lang): string =>
  firstRejects
    .map(({ line, rejections, text }) =>
      languageOf(lang).importReport.firstReject(
        line,
        describeRejections(rejections, lang),
        quote(text),
      ),
    )
    .map((text) => `${text}\n`)
    .join('');

export function formatReadingsReport(
  file: string,
  report: ReadingsReport,
  options: ImportOptions,
  lang: Lang,
  store = '',
): string {
  const { rows, stored, sensors, from, to, zone, duplicates, profile, isStopped } = report;
  const { first, failedMeasurements, rejectedRows, reasons, skippedColumns } = report;
  const { importReport: phrases, format } = languageOf(lang);
  const span =
    from === null || to === null
      ? null
      : phrases.span(formatLocalMinute(from, zone), formatLocalMinute(to, zone), zoneLabel(zone));
  const isDryRun = first !== null;
  const lines = [
    phrases.read({ file: displayName(file), rows, readings: stored, sensors, span, isDryRun }),
  ];
  if (duplicates > 0) lines.push(`  ${phrases.repeated(duplicates)}`);
  if (profile !== null) lines.push(`  ${phrases.profile(CSV_PROFILES[profile])}`);
  if (failedMeasurements > 0) lines.push(`  ${phrases.missing(failedMeasurements)}`);
  lines.push(...formatColumnsAndDates(report, lang).map((text) => `  ${text}`));

  for (const why of new Set(skippedColumns.map((column) => column.why))) {
    const names = skippedColumns
      .filter((column) => column.why === why)
      .map(({ name, nearest }) =>
        nearest === null ? quote(name) : phrases.nearest(quote(name), nearest),
      );
    const isLong = why === 'other_measurement' && names.length > MAX_OTHER_MEASUREMENTS;
    const listedNames = isLong ? [...names.slice(0, MAX_OTHER_MEASUREMENTS), '…'] : names;

    lines.push(
      `  ${phrases.skipped(names.length, describeSkip(why, lang), listedNames.join(', '))}`,
    );
  }

  if (rejectedRows > 0) {
    lines.push(`  ${phrases.rejected(rejectedRows)}`);
    for (const { reason, count } of reasons)
      lines.push(`    ${format.grouped(count)} x ${reasonText(reason, lang)}`);
    lines.push(
      `  ${options.rejects === undefined ? phrases.saveRejects : phrases.rejectsSaved(options.rejects)}`,
    );
  }

  if (isStopped) lines.push(`  ${phrases.stopped}`);
  lines.push(...formatClockStop(file, report, options, { lang, store }).map((text) => `  ${text}`));
  if (first !== null) lines.push(...formatFirstReadings(first, zone, lang));
  return `${lines.join('\n')}\n`;
}

function formatClockStop(
  file: string,
  { clockStop, zone }: ReadingsReport,
  options: ImportOptions,
  { lang, store }: { readonly lang: Lang; readonly store: string },
): string[] {
  if (clockStop === null) return [];

  const { importReport: phrases } = languageOf(lang);
  const { line, offset } = clockStop;
  const withOffset = continuationCommand(file, { ...options, timezone: offset }, line, store);
  return [
    phrases.clockStop(clockStop, zoneLabel(zone)),
    phrases.goOnWithOffset(offset, withOffset),
    phrases.goOnAfterLine(continuationCommand(file, options, line + 1, store)),
  ];
}

/** The time is local, as the span of the file. */
function formatFirstReadings(
  readings: readonly FirstReading[],
  zone: string,
  lang: Lang,
): string[] {
  const { importReport: phrases, format } = languageOf(lang);
  const lines = readings.map(({ line, module, sensor, type, at, value }) =>
    phrases.firstReading({
      line,
      module: quote(module),
      sensor,
      time: formatLocalMinute(at, zone),
      value: `${format.number(value)} ${CURVES[type].symbol}`,
    }),
  );
  return [`  ${phrases.dryRun}`, ...lines.map((text) => `    ${text}`)];
}

/** Leaves the columns out if the name of each is its meaning. */
function formatColumnsAndDates({ columns, dates }: ReadingsReport, lang: Lang): string[] {
  const { importReport: phrases } = languageOf(lang);
  const isRenamed = columns.some(
    ({ name, meaning, isConverted }) => name.toLowerCase() !== meaning || isConverted,
  );
  const columnTexts = columns.map(({ name, meaning, unit, isConverted }) =>
    phrases.column(quote(name), describeColumnMeaning(meaning, lang), isConverted ? unit : null),
  );

  const texts: string[] = [];
  if (isRenamed) texts.push(phrases.columns(columnTexts.join('; ')));
  if (dates !== null) texts.push(phrases.dates[dates]);
  return texts;
}

function formatLocalMinute(at: number, zone: string): string {
  const { year, month, day, hour, minute } = civilAt(at, zone);
  return `${formatIsoDate({ year, month, day })} ${padTwo(hour)}:${padTwo(minute)}`;
}
