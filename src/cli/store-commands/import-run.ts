import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { zoneOfClock } from '../../domain/company/place-zones.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { langOfCountry, languageOf } from '../../language/index.ts';
import { FileError } from '../../language/ingest/file-error.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import { AcequiaError } from '../../schema/error.ts';
import { evaluateCompanyAlerts } from '../../service/alerts/due-evaluations.ts';
import { withEvaluationPaused } from '../../service/alerts/evaluation-pause.ts';
import { chooseCompany } from '../../service/company/company.ts';
import { importFarm } from '../../service/farm/farm-import.ts';
import { csvLines } from '../../service/ingest/csv/text/csv-lines.ts';
import { importReadings } from '../../service/ingest/readings-import.ts';
import { findWeatherHeader } from '../../service/ingest/weather/weather-columns.ts';
import { importWeather } from '../../service/ingest/weather/weather-import.ts';
import { openStore, type Store } from '../../store/store.ts';
import { EXIT, reportRefusal, withStopSignal } from '../process/command.ts';
import { lazyLog } from '../process/log.ts';
import { formatBytes, formatTerminalCount, print, printError } from '../process/output.ts';
import { assertNotStoreFile } from '../process/output-file.ts';
import { type Settings, storeOption } from '../process/settings.ts';
import {
  formatFarmReport,
  formatFirstRejects,
  formatReadingsReport,
  formatWeatherReport,
} from './import-summary.ts';
import {
  checkImportUsage,
  displayName,
  dryRunOfOtherFile,
  fromLineOfOtherFile,
  type ImportOptions,
  isFarmFile,
  unreadableFile,
} from './import-usage.ts';
import { showProgress } from './progress-display.ts';
import { openRejects, writeRejects } from './rejects-file.ts';

type ImportSettings = Pick<Settings, 'db' | 'clock' | 'lang' | 'logLevel'>;

const CHUNK_BYTES = 262_144;
const HEADER_BYTES = 4096;

/**
 * Stops at the first failure; what was imported before stays. Rejected rows alone are no failure.
 */
export const runImport = (
  files: readonly string[],
  options: ImportOptions,
  settings: ImportSettings,
): Promise<number> => withStopSignal(({ signal }) => importFiles(files, options, settings, signal));

async function importFiles(
  files: readonly string[],
  options: ImportOptions,
  settings: ImportSettings,
  signal: AbortSignal,
): Promise<number> {
  if (options.printSchema) {
    print(await readFile(new URL('./farm.schema.json', import.meta.url), 'utf8'));
    return EXIT.done;
  }

  let store: Store | undefined;
  let rejects: FileHandle | undefined;
  // The file that is being imported: a failure names it.
  let file: string | undefined;
  try {
    await checkImportUsage(files, options);
    if (options.rejects !== undefined)
      assertNotStoreFile(options.rejects, '--rejects', [settings.db]);
    store = await openStore({ db: settings.db });
    if (options.rejects !== undefined) rejects = await openRejects(options.rejects);
    let code: number = EXIT.done;

    for (file of files) {
      if (!(await importFile(file, { store, options, settings, rejects, signal })))
        code = EXIT.failed;
      if (signal.aborted) break;
    }

    return signal.aborted ? EXIT.failed : code;
  } catch (error) {
    if (!(error instanceof AcequiaError)) {
      const reference = await lazyLog(settings.logLevel).unexpectedError(error);
      printError(`The import failed unexpectedly; the log has the details under ${reference}.\n`);
      return EXIT.failed;
    }
    if (file !== undefined) printError(`${displayName(file)}: `);
    const isWorded = error instanceof FileError;
    return reportRefusal(
      isWorded ? error.in(await personLanguage(store, options, settings)) : error,
    );
  } finally {
    await rejects?.close();
    await store?.close();
  }
}

/** The language of `--lang`, or else of the company; English if neither is known. */
async function personLanguage(
  store: Store | undefined,
  { company }: ImportOptions,
  { lang }: ImportSettings,
): Promise<Lang> {
  if (lang !== undefined || store === undefined) return lang ?? DEFAULT_LANG;
  const found = await chooseCompany(store, company).catch(() => null);
  return langOfCountry(found?.country_code ?? null);
}

interface ImportContext {
  readonly store: Store;
  readonly options: ImportOptions;
  readonly settings: ImportSettings;
  readonly rejects: FileHandle | undefined;
  readonly signal: AbortSignal;
}

/** Returns false if the file had nothing to store. */
async function importFile(file: string, context: ImportContext): Promise<boolean> {
  const { store, options, settings } = context;
  if (isFarmFile(file)) return importFarmFile(file, context);
  if (await isWeatherFile(file)) return importWeatherFile(store, file, options, settings);
  return importReadingsFile(file, context);
}

async function importFarmFile(
  file: string,
  { store, options, settings }: ImportContext,
): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw unreadableFile(file, error);
  });
  const report = await importFarm(store, text, settings.clock(), options);
  const lang = await personLanguage(store, { company: report.company.name }, settings);
  print(formatFarmReport(displayName(file), report, lang));
  return true;
}

async function isWeatherFile(file: string): Promise<boolean> {
  if (file === '-') return false;
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    for await (const lines of csvLines([buffer.subarray(0, bytesRead)]))
      return findWeatherHeader(lines) !== null;
    return false;
  } finally {
    await handle.close();
  }
}

/** Runs in one transaction, because even the days of a century are few rows. */
async function importWeatherFile(
  store: Store,
  file: string,
  { company: name, timezone, dates, dryRun, fromLine }: ImportOptions,
  { clock, lang: configuredLang }: ImportSettings,
): Promise<boolean> {
  if (dryRun === true) throw dryRunOfOtherFile();
  if (fromLine !== undefined) throw fromLineOfOtherFile();
  const company = await chooseCompany(store, name);
  const bytes = await readFile(file);
  const lang = configuredLang ?? langOfCountry(company.country_code);
  const companyZone = company.timezone ?? DEFAULT_TIME_ZONE;
  const zone = (timezone === undefined ? null : zoneOfClock(timezone)) ?? companyZone;
  const context = { now: clock(), zone, dates, lang };
  const report = await store.write(company.id, (db) => importWeather(db, [bytes], context));
  print(formatWeatherReport(displayName(file), report, lang));
  return report.days > 0;
}

async function importReadingsFile(
  file: string,
  { store, options, settings, rejects, signal }: ImportContext,
): Promise<boolean> {
  const { clock, lang: configuredLang } = settings;
  const company = await chooseCompany(store, options.company);
  const lang = configuredLang ?? langOfCountry(company.country_code);
  let storedReadings = 0;
  const progress = await showProgress(process.stderr, {
    name: displayName(file),
    size: file === '-' ? null : (await stat(file)).size,
    formatShare: (completed, size) => `${formatBytes(completed)} of ${formatBytes(size)}`,
  });
  try {
    const source =
      file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
    const report = await withEvaluationPaused(store, company.id, () =>
      importReadings(readChunks(source, file, signal, progress.advance), {
        store,
        companyId: company.id,
        zone: company.timezone ?? DEFAULT_TIME_ZONE,
        module: options.module,
        timezone: options.timezone,
        fromLine: options.fromLine,
        map: options.map?.join(';'),
        dates: options.dates,
        profile: options.profile,
        dryRun: options.dryRun,
        lang,
        now: clock(),
        rejects: rejects && ((text) => writeRejects(rejects, text)),
        onProgress: ({ rows, readings }) => {
          storedReadings = readings;
          progress.update(
            `${formatTerminalCount(rows, 'row')} read, ${formatTerminalCount(readings, 'reading')} stored`,
          );
        },
        signal,
      }),
    );

    progress.end();
    printError(formatFirstRejects(report, lang));
    print(formatReadingsReport(file, report, options, lang, storeOption(settings.db)));
    // After a stopped import, the next background job evaluates the alerts.
    if (!report.isStopped && options.dryRun !== true)
      await evaluateCompanyAlerts(store, company, { now: clock() });

    return report.stored > 0 && report.clockStop === null;
  } catch (error) {
    progress.end();
    if (storedReadings > 0) printError(`${languageOf(lang).importReport.failedHalfway}\n`);
    throw error;
  }
}

async function* readChunks(
  source: NodeJS.ReadableStream & { destroy?(): void },
  file: string,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array | string> {
  const stop = (): void => void source.destroy?.();

  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of source) {
      onRead(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (!signal.aborted) throw unreadableFile(file, error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
